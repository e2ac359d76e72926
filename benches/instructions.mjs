// The guard of `make test` over speed: what the hot loops execute, counted in the wasm that is published (tools/count-build.mjs), against
// benches/instructions.json. Counts do not depend on the machine, nor on who else uses it; a clock fails no test here.
//   node benches/instructions.mjs [PATTERN]       fails where a loop executes over 10 % more than recorded, or crosses the boundary more often
//   UPDATE=1 node benches/instructions.mjs        records what they execute now
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const record = "benches/instructions.json";
const most = 1.1;

let wasm;
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    wasm = this.exports;
  }
};
execFileSync(process.execPath, ["tools/count-build.mjs", "target/pkg-count"]);
const { Codec, decodeValue, encodeValue, unset } = await import("../target/pkg-count/dist/index.js");

// ---- what they work on: the same numbers each time (xorshift32)

let x = 0x9e3779b9;
const u32 = () => {
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return x >>> 0;
};
const words = ["alpha ", "bravo ", "charlie ", "delta ", "echo ", "foxtrot ", "golf ", "hotel ", "india ", "juliett "];
const latin = (least, range) => Array.from({ length: least + (u32() % range) }, () => "abcdefghijklmnopqrstuvwxyz0123456789"[u32() % 36]).join("");
const VALUES = {
  int: () => u32() | 0,
  bigint: () => (BigInt(u32()) << 32n | BigInt(u32())) - (1n << 63n),
  double: () => u32() / 4294967296 - 0.5,
  timestamp: () => new Date(1600000000000 + u32()),
  uuid: () => [8, 4, 4, 4, 12].map((digits) => Array.from({ length: digits }, () => (u32() & 15).toString(16)).join("")).join("-"),
  text: () => latin(10, 31),
  "text, any script": () => latin(5, 10) + "äßç→日本語😀".slice(u32() % 4) + latin(5, 10),
  blob: () => Uint8Array.from({ length: 32 + (u32() % 32) }, u32),
  "list<int>": () => Array.from({ length: u32() % 10 }, VALUES.int),
  "map<text, double>": () => new Map(Array.from({ length: u32() % 6 }, () => [VALUES.text(), VALUES.double()])),
};
const floats = (count) => Float32Array.from({ length: count }, () => u32() / 2147483648 - 1);
const value = (type) => {
  const vector = /^vector<float, (\d+)>$/.exec(type);
  if (type.endsWith("?")) return u32() % 8 === 0 ? null : value(type.slice(0, -1));
  return vector ? floats(Number(vector[1])) : VALUES[type]();
};
const bare = (type) => type.replace(/\?$|, any script/, "");
const columns = (types) => types.map((type, index) => ({ keyspace: "bench", table: "t", name: `c${index}`, type: bare(type) }));
const established = (version, compression = "none") => ({ established: { version, compression } });

function page(types, count, version = 4, compression = "none") {
  const rows = Array.from({ length: count }, () => types.map(value));
  return new Codec({ role: "server", ...established(version, compression) }).encode({ opcode: "RESULT", kind: "Rows", metadata: columns(types), rows }, 1);
}
/** Reading a page; and what of it is asked for. */
function reading(types, count, what, { version, compression, chunk = Infinity } = {}) {
  const frame = page(types, count, version, compression);
  const codec = new Codec(established(version ?? 4, compression));
  return () => {
    let messages = [];
    for (let at = 0; at < frame.length; at += chunk) messages = codec.feed(frame.subarray(at, Math.min(at + chunk, frame.length)));
    return messages[0][what];
  };
}
function prepared(types, version) {
  const answer = { opcode: "RESULT", kind: "Prepared", id: new Uint8Array(16), resultMetadataId: new Uint8Array(version < 5 ? 0 : 16), bind: columns(types), result: [] };
  return new Codec(established(version)).feed(new Codec({ role: "server", ...established(version) }).encode(answer, 1))[0];
}
function executing(types, { version = 4, compression, value: make = value } = {}) {
  const codec = new Codec(established(version, compression));
  const request = { opcode: "EXECUTE", prepared: prepared(types, version), params: types.map(make), consistency: "LOCAL_QUORUM" };
  return () => codec.encode(request, 1);
}
function batching(types, count, make = value) {
  const codec = new Codec(established(4));
  const statement = prepared(types, 4);
  const request = { opcode: "BATCH", consistency: "LOCAL_QUORUM", statements: Array.from({ length: count }, () => ({ prepared: statement, params: types.map(make) })) };
  return () => codec.encode(request, 1);
}
const prose = () => Array.from({ length: 3000 }, () => words[u32() % words.length]).join("").slice(0, 16384);
const proseOf = { value: prose };
const noise = { value: () => Uint8Array.from({ length: 16384 }, u32) };
const received = (types, options) => {
  const frame = executing(types, { ...options, version: options.version })();
  const codec = new Codec({ role: "server", ...established(options.version, options.compression) });
  return () => codec.feed(frame)[0].opcode;
};

// ---- the loops

const mixed = ["bigint", "text?", "double", "timestamp", "uuid"];
const LOOPS = {
  "rows of 1,000 × mixed": reading(mixed, 1000, "rows"),
  "columns of 1,000 × mixed": reading(mixed, 1000, "columns"),
  "columns of 1,000 × 20 double": reading(Array(20).fill("double"), 1000, "columns"),
  "columns of 10,000 × 2 int": reading(["int", "int"], 10000, "columns"),
  "columns of 1,000 × 2 int?": reading(["int?", "int?"], 1000, "columns"),
  "columns of 200 × vector<float, 768>": reading(["int", "vector<float, 768>"], 200, "columns"),
  "rows of 200 × vector<float, 768>": reading(["int", "vector<float, 768>"], 200, "rows"),
  "columns of 1,000 × vector<float, 3>": reading(["int", "vector<float, 3>"], 1000, "columns"),
  "columns of 2,000 × 4 text": reading(Array(4).fill("text"), 2000, "columns"),
  "columns of 1,000 × text of any script": reading(["text, any script"], 1000, "columns"),
  "columns of 1,000 × blob": reading(["blob"], 1000, "columns"),
  "rows of 1,000 × list and map": reading(["list<int>", "map<text, double>"], 1000, "rows"),
  "metadata of 200 columns": reading(Array(40).fill(mixed).flat(), 1, "columns"),
  "a page in chunks of 1 KiB": reading(mixed, 1000, "columns", { chunk: 1024 }),
  "a page in v5 segments": reading(mixed, 1000, "columns", { version: 5 }),
  "a page in v5 segments, lz4": reading(["text", "int"], 1000, "columns", { version: 5, compression: "lz4" }),
  "a page of snappy": reading(["text", "int"], 1000, "columns", { compression: "snappy" }),
  "a small page": reading(["int", "text", "double"], 10, "rows"),
  "EXECUTE of 12 kinds": executing(["int", "text", "text", "double", "bigint", "int", "bigint", "uuid", "timestamp", "blob", "list<int>", "map<text, double>"], {
    value: (type) => (u32() % 5 === 0 ? null : u32() % 7 === 0 ? unset : value(type)),
  }),
  "EXECUTE of vector<float, 1536>, typed array": executing(["vector<float, 1536>"]),
  "EXECUTE of vector<float, 1536>, array": executing(["vector<float, 1536>"], { value: (type) => Array.from(value(type)) }),
  "EXECUTE of vector<float, 1536>, bytes": executing(["vector<float, 1536>"], { value: () => new Uint8Array(6144) }),
  "BATCH of 10 × (int, vector<float, 768>)": batching(["int", "vector<float, 768>"], 10),
  "BATCH of 50 × 10 text": batching(Array(10).fill("text"), 50),
  "16 KiB of text, v5": executing(["text"], { version: 5, ...proseOf }),
  "16 KiB of text, v5, lz4": executing(["text"], { version: 5, compression: "lz4", ...proseOf }),
  "16 KiB of text, v4, lz4": executing(["text"], { compression: "lz4", ...proseOf }),
  "16 KiB of text, v4, snappy": executing(["text"], { compression: "snappy", ...proseOf }),
  "16 KiB of noise, v5, lz4": executing(["blob"], { version: 5, compression: "lz4", ...noise }),
  "16 KiB of text received, v5, lz4": received(["text"], { version: 5, compression: "lz4", ...proseOf }),
  "16 KiB of text received, v4, snappy": received(["text"], { version: 4, compression: "snappy", ...proseOf }),
  "one value: vector<float, 128>": ((bytes) => () => decodeValue("vector<float, 128>", bytes))(encodeValue("vector<float, 128>", floats(128))),
  "one value: map<text, double>": ((bytes) => () => decodeValue("map<text, double>", bytes))(encodeValue("map<text, double>", { a: 1, b: 2 })),
};

/** What one call executes, when the codec's buffers have the size that they need. */
function count(loop) {
  for (let warm = 0; warm < 3; warm++) loop();
  wasm.counted.value = 0n;
  wasm.crossings.value = 0n;
  loop();
  return { instructions: Number(wasm.counted.value), crossings: Number(wasm.crossings.value) };
}

const names = Object.keys(LOOPS).filter((name) => process.env.UPDATE || new RegExp(process.argv[2] ?? "").test(name));
const now = Object.fromEntries(names.map((name) => [name, count(LOOPS[name])]));
if (process.env.UPDATE) {
  const lines = Object.entries(now).map(([name, counts]) => `  ${JSON.stringify(name)}: ${JSON.stringify(counts)}`);
  writeFileSync(record, `{\n${lines.join(",\n")}\n}\n`);
}
const before = JSON.parse(readFileSync(record, "utf8"));
let failed = Object.keys(before).filter((name) => !(name in LOOPS)).map((name) => `${name}: recorded, but not a loop`);
let lower = 0;
console.log("   instructions   recorded        crossings  loop");
for (const name of names) {
  const [a, b] = [before[name], now[name]];
  if (!a) {
    failed.push(`${name}: not recorded`);
    continue;
  }
  const grew = b.instructions > a.instructions * most || b.crossings > a.crossings * most;
  if (grew) failed.push(`${name}: ${a.instructions} → ${b.instructions} instructions, ${a.crossings} → ${b.crossings} calls across the boundary`);
  if (b.instructions * most < a.instructions) lower++;
  const change = `${b.instructions < a.instructions ? "−" : "+"}${Math.abs((b.instructions / a.instructions - 1) * 100).toFixed(1)} %`;
  console.log(`${String(b.instructions).padStart(15)} ${change.padStart(10)} ${`${a.crossings} → ${b.crossings}`.padStart(16)}  ${name}${grew ? "  GREW" : ""}`);
}
if (lower > 0) console.log(`${lower} loops execute over 10 % less than recorded: UPDATE=1 node benches/instructions.mjs holds it`);
for (const line of failed) console.error(`error: ${line}`);
if (failed.length) console.error("Where it has to be so: UPDATE=1 node benches/instructions.mjs");
process.exitCode = failed.length ? 1 : 0;
