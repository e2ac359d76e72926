// A RESULT/Rows frame in v4, written by hand from the specification (§4.2.5.2): the tests' own encoder, nothing of the package.

const CODES = {
  ascii: 1, bigint: 2, blob: 3, boolean: 4, counter: 5, decimal: 6, double: 7, float: 8, int: 9, timestamp: 0xb, uuid: 0xc, text: 0xd,
  varint: 0xe, timeuuid: 0xf, inet: 0x10, date: 0x11, time: 0x12, smallint: 0x13, tinyint: 0x14, duration: 0x15, list: 0x20, map: 0x21, set: 0x22,
};
const CLASSES = { float: "FloatType", double: "DoubleType", int: "Int32Type", bigint: "LongType", smallint: "ShortType", tinyint: "ByteType", text: "UTF8Type" };

const hex = (number, bytes) => number.toString(16).padStart(2 * bytes, "0");
const text = (string) => hex(Buffer.byteLength(string), 2) + Buffer.from(string).toString("hex");

/** `int`; or in an array: `["list", of]`, `["map", key, value]`, `["tuple", …]`, `["udt", { field: type }]`, `["vector", of, n]`, `["custom", class]`. */
function option(type) {
  if (typeof type === "string") return hex(CODES[type], 2);
  const [kind, ...of] = type;
  switch (kind) {
    case "tuple":
      return `0031${hex(of.length, 2)}${of.map(option).join("")}`;
    case "udt": {
      const fields = Object.entries(of[0]);
      return `0030${text("k")}${text("u")}${hex(fields.length, 2)}${fields.map(([name, field]) => text(name) + option(field)).join("")}`;
    }
    case "vector":
      return `0000${text(`org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.${CLASSES[of[0]]} , ${of[1]})`)}`;
    case "custom":
      return `0000${text(of[0])}`;
    default:
      return hex(CODES[kind], 2) + of.map(option).join("");
  }
}

/** A `[bytes]` of hex text, of which spaces do not count. */
export function cell(bytes) {
  if (bytes === null) return "ffffffff";
  const plain = bytes.replaceAll(" ", "");
  return hex(plain.length / 2, 4) + plain;
}

/** `columns`: types by name. `rows`: cells as hex, or null. */
export function rowsFrame(columns, rows, stream = 1) {
  const specs = Object.entries(columns).map(([name, type]) => text(name) + option(type));
  const cells = rows.flat().map(cell).join("");
  const body = `00000002 00000001 ${hex(specs.length, 4)} ${text("k")} ${text("t")} ${specs.join("")} ${hex(rows.length, 4)} ${cells}`.replaceAll(" ", "");
  return Uint8Array.from(Buffer.from(`8400${hex(stream, 2)}08${hex(body.length / 2, 4)}${body}`, "hex"));
}
