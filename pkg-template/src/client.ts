// cqlwire/client. What it is and does is said in types/client.d.ts, where the types of all options are.
export { CqlError, Decimal, Duration, LocalDate, LocalTime, empty, timeuuid, timeuuidDate, unset, uuid } from "./codec/index.ts";
export { Client } from "./client/client.ts";
