// Where a row lives: the token of its partition key.
import { describe, isBytes } from "./check.ts";
import { CqlError, isWasmError } from "./errors.ts";
import { checkTrap, instance } from "./wasm.ts";

export function murmur3Token(key: Uint8Array): bigint {
  if (!isBytes(key)) throw new CqlError("CQL_OPTION", `murmur3Token has ${describe(key)}: expected a Uint8Array`);
  try {
    return instance().murmur3_token(key);
  } catch (error) {
    checkTrap(error);
    throw error;
  }
}

export function routingKey(columns: readonly Uint8Array[]): Uint8Array {
  if (!Array.isArray(columns) || columns.length === 0 || !Array.from(columns).every(isBytes)) {
    throw new CqlError("CQL_OPTION", `routingKey has ${describe(columns)}: expected the cells of the partition key, an array of Uint8Array`);
  }
  try {
    return instance().routing_key([...columns]);
  } catch (error) {
    checkTrap(error);
    throw isWasmError(error) ? new CqlError("CQL_ENCODE", `${error.what} ${error.meaning}: at most 65,535 bytes each`) : error;
  }
}
