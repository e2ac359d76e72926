// Pages for the Arrow tests: what a server would send, decoded. Every type and value of the table of the live tests, alone and with nulls around
// it; random ones; what Arrow has its own rules for.
import assert from "node:assert/strict";
import { Codec, empty } from "cqlwire";
import { NATIVES, TABLE } from "../live/values-table.mjs";
import { anyType, anyValue, random } from "../random-values.mjs";

const server = new Codec({ role: "server", established: { version: 5 } });
const client = new Codec({ established: { version: 5 } });

/** `columns`: types by name. Cells are values, or bytes as they are on the wire. */
export function pageOf(columns, rows) {
  const metadata = Object.entries(columns).map(([name, type]) => ({ name, type }));
  return pageOfMetadata(metadata, rows);
}
export function pageOfMetadata(metadata, rows) {
  const [page] = client.feed(server.encode({ opcode: "RESULT", kind: "Rows", metadata, rows }, 0));
  assert.equal(page.error, undefined);
  return page;
}

const udt = (names, of) => ({ kind: "udt", keyspace: "k", name: "u", names, of });
const every = Object.keys(NATIVES);
const UDTS = {
  u: udt(["f0", "f1", "f2"], ["int", "text", "double"]),
  odd: udt(["Ü b", "__proto__"], ["int", "int"]),
  every: udt(every.map((_, index) => `f${index}`), every),
};

/** A type's text in the table → the type: UDTs, which text does not say, as objects. */
function typeOf(text) {
  const plain = text.replace(/^frozen<(.*)>$/, "$1");
  if (plain.startsWith("'")) return { kind: "custom", name: plain.slice(1, -1) };
  if (UDTS[plain]) return UDTS[plain];
  if (!/\bu\b/.test(plain)) return plain;
  const [, kind, inside] = /^(\w+)<(.*)>$/.exec(plain);
  const parts = [""];
  let depth = 0;
  for (const character of inside) {
    depth += { "<": 1, ">": -1 }[character] ?? 0;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  if (kind === "vector") return { kind, of: [typeOf(parts[0].trim())], dimension: Number(parts[1]) };
  return { kind, of: parts.map((part) => typeOf(part.trim())) };
}

const hexBytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
/** Cases: name, type, values as the table has them, and the page that has them in one column. */
export function tableCases() {
  const cases = [];
  // A counter is no column beside others in a table, so the live tests' table has none.
  const table = { ...TABLE, counter: TABLE.bigint };
  for (const [text, rows] of Object.entries(table)) {
    const type = typeOf(text);
    const values = rows.map(([, , value]) => (value === empty ? null : value));
    const cells = rows.map(([, , , hex]) => hexBytes(hex));
    const add = (how, each) => {
      const all = values.flatMap((value, index) => each(value, cells[index]));
      cases.push({ name: `${text.slice(0, 60)}, ${how}`, type, values: all.map(([value]) => value), page: pageOf({ c: type }, all.map(([, cell]) => [cell])) });
    };
    add("no null but the empty", (value, cell) => [[value, cell]]);
    add("nulls between", (value, cell) => [[null, null], [value, cell], [null, null], [null, null]]);
    add("repeated beyond a byte of bits", (value, cell) => [...Array(7).fill([value, cell]), [null, null], ...Array(3).fill([value, cell])]);
    add("all null", () => [[null, null]]);
    add("no row", () => []);
  }
  return cases;
}

/** A value with nulls where a server could have them: elements, values of maps, keys where asked. In vectors there are none. */
function withNulls(rng, type, value, keys) {
  if (value === null) return null;
  const orNull = (of, item) => (rng.below(5) ? withNulls(rng, of, item, keys) : null);
  switch (type.kind) {
    case "list":
    case "set":
      return rng.below(6) ? value.map((item) => orNull(type.of[0], item)) : [];
    case "map":
      return new Map([...value].map(([key, item]) => [keys && rng.below(3) === 0 ? null : withNulls(rng, type.of[0], key, keys), orNull(type.of[1], item)]));
    case "tuple":
      return value.map((item, index) => withNulls(rng, type.of[index], item, keys));
    case "udt":
      return Object.fromEntries(Object.entries(value).map(([name, item], index) => [name, withNulls(rng, type.of[index], item, keys)]));
    case "vector":
      return ArrayBuffer.isView(value) ? value : value.map((item) => withNulls(rng, type.of[0], item, keys));
    default:
      return value;
  }
}

const typed = (type) => ({
  kind: type.kind,
  of: type.of.map(typed),
  ...(type.dimension && { dimension: type.dimension }),
  ...(type.kind === "udt" && { names: type.of.map((_, index) => `f${index}`), keyspace: "k", name: "u" }),
});

/** Columns and rows from a seed. */
export function randomCase(seed) {
  const rng = random(seed);
  const keys = rng.below(3) === 0;
  const types = rng.list(1, 4, () => anyType(rng, 3, true));
  const nulls = rng.one([0, 2, 4]);
  const rows = rng.list(0, rng.one([3, 9, 40]), () => types.map((type) => (nulls && rng.below(nulls) === 0 ? null : withNulls(rng, type, anyValue(rng, type), keys))));
  const page = pageOf(Object.fromEntries(types.map((type, index) => [`c${index}`, typed(type)])), rows);
  return { name: `seed ${seed}`, types: types.map(typed), rows, page };
}
