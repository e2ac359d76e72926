import * as cqlwire from "cqlwire";
import * as client from "cqlwire/client";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { check } from "./check.mjs";

check(cqlwire);
if (Object.keys(client).length === 0) throw new Error("cqlwire/client exports nothing");
// The two other exports: the bytes, and the manifest.
const require = createRequire(import.meta.url);
if (!WebAssembly.validate(readFileSync(require.resolve("cqlwire/cql.wasm")))) throw new Error("cqlwire/cql.wasm is not a module");
if (require("cqlwire/package.json").name !== "cqlwire") throw new Error("cqlwire/package.json is not the manifest");
