// cqlwire/client. What it is and does is said in types/client.d.ts, where the types of all options are.
export { CqlError } from "./codec/index.ts";
export { Client } from "./client/client.ts";
