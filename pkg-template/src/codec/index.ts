// Everything the other entry points take from the codec; what users see of it is in ../index.ts.
export { describe, isPlain, tag } from "./check.ts";
export { Codec } from "./codec.ts";
export { CqlError, serverError } from "./errors.ts";
export { decodeTablet, murmur3Token, routingKey, shardOf } from "./route.ts";
export { Decimal, INSPECT, Duration, LocalDate, LocalTime, empty, unset } from "./values.ts";
export { consistencyNames } from "./consistency.ts";
export { decodeValue, encodeValue, parseType } from "./value.ts";
export { type ValueSettings, readValueOptions } from "./value-options.ts";
