// A value as plain data that deepEqual compares in full: the class of what has one beside its content, maps as pairs in order.
import { Decimal, Duration, LocalDate, LocalTime, empty } from "cqlwire";

const CLASSES = { Decimal, LocalDate, LocalTime, Duration };

export function plain(value) {
  if (value === empty) return "empty";
  if (value === null || typeof value !== "object") return value;
  for (const [name, of] of Object.entries(CLASSES)) if (value instanceof of) return [name, ...Object.values(fields(value))];
  if (value instanceof Date) return ["Date", value.getTime()];
  if (value instanceof Map) return ["Map", ...[...value].map(([key, item]) => [plain(key), plain(item)])];
  if (ArrayBuffer.isView(value)) return [value.constructor.name.replace("Buffer", "Uint8Array"), ...value];
  if (Array.isArray(value)) return value.map(plain);
  return ["object", ...Object.entries(value).map(([key, item]) => [key, plain(item)])];
}

function fields(value) {
  if (value instanceof Decimal) return [value.unscaled, value.scale];
  if (value instanceof LocalDate) return [value.days];
  if (value instanceof LocalTime) return [value.nanoseconds];
  return [value.months, value.days, value.nanoseconds];
}
