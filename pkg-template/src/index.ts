export {
  Codec,
  CqlError,
  Decimal,
  Duration,
  LocalDate,
  LocalTime,
  decodeValue,
  empty,
  encodeValue,
  parseType,
  serverError,
  unset,
} from "./codec/index.ts";
