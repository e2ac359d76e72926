// Everything the other entry points take from the codec; what users see of it is in ../index.ts.
export { describe, isPlain, tag } from "./check.ts";
export { Codec } from "./codec.ts";
export { messageText } from "./print.ts";
export { messageStream } from "./stream.ts";
export { consistencyNames } from "./consistency.ts";
export { Decimal } from "./decimal.ts";
export { Duration } from "./duration.ts";
export { CqlError, serverError } from "./errors.ts";
export { LocalDate } from "./local-date.ts";
export { LocalTime } from "./local-time.ts";
export { ParamColumns, isParamColumns, paramColumns } from "./param-columns.ts";
export { decodeTablet, encodeTablet, murmur3Token, routingKey, shardOf } from "./route.ts";
export { scyllaOptions, scyllaStartupOptions } from "./scylla.ts";
export { timeuuid, timeuuidDate, uuid } from "./uuid.ts";
export { decodeValue, encodeValue, parseType } from "./value.ts";
export { INSPECT } from "./value-class.ts";
export { type ValueSettings, readValueOptions } from "./value-options.ts";
export { empty, unset } from "./values.ts";
