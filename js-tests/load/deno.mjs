import * as cqlwire from "cqlwire";
import { check } from "./check.mjs";

for (const name of ["read", "net", "env", "run", "ffi", "sys", "write"]) {
  const { state } = await Deno.permissions.query({ name });
  if (state === "granted") throw new Error(`this must run without permissions, and has "${name}"`);
}
check(cqlwire);
