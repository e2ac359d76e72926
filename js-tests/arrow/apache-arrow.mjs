// The npm package apache-arrow as a reader: what its vectors give, as plain data (see expected.mjs).
import { DataType, tableFromIPC } from "apache-arrow";
import { double } from "./expected.mjs";

/** A stream → its table, and the columns as `{ values }` or `{ error }`. */
export function readTable(bytes) {
  const table = tableFromIPC(bytes);
  const columns = Array.from({ length: table.numCols }, (_, index) => {
    const vector = table.getChildAt(index);
    try {
      return { values: Array.from({ length: table.numRows }, (_, row) => plain(vector.type, vector.get(row))) };
    } catch (error) {
      return { error: String(error) };
    }
  });
  return { table, columns };
}

function plain(type, value) {
  if (value === null) return null;
  const items = (of) => Array.from(value, (item) => plain(of, item));
  if (DataType.isList(type) || DataType.isFixedSizeList(type)) return items(type.children[0].type);
  if (DataType.isMap(type)) {
    const [key, item] = type.children[0].type.children;
    return [...value].map(([k, v]) => [plain(key.type, k), plain(item.type, v)]);
  }
  if (DataType.isStruct(type)) return [...value].map(([, item], index) => plain(type.children[index].type, item));
  if (DataType.isFloat(type)) return double(value);
  if (DataType.isDate(type)) return String(value / 86_400_000);
  if (DataType.isInt(type) || DataType.isTimestamp(type) || DataType.isTime(type)) return String(value);
  if (DataType.isBinary(type) || DataType.isFixedSizeBinary(type)) return Buffer.from(value).toString("hex");
  if (DataType.isInterval(type)) {
    const [months, days, low, high] = value;
    return [String(months), String(days), String((BigInt(high) << 32n) | BigInt(low >>> 0))];
  }
  if (DataType.isUtf8(type) || DataType.isBool(type)) return value;
  throw new TypeError(`no plain form of ${type}`);
}
