/**
 * cqlwire: the CQL native protocol (Apache Cassandra, ScyllaDB), versions 3, 4 and 5. No sockets here: bytes in, messages out,
 * and back. Section numbers are those of Cassandra's `native_protocol_v5.spec`.
 */

export * from "./cql-type.js";
export * from "./requests.js";
export * from "./responses.js";
export * from "./outgoing.js";
export * from "./columns.js";
export * from "./codec.js";
export * from "./values.js";
export * from "./routing.js";
export * from "./errors.js";
