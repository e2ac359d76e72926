// node --allow-natives-syntax deoptimised-call.mjs describe|tables: calls into the wasm from code that is deoptimised meanwhile. V8 of
// Node.js 20 and 22 ends the process if the call's one result is an object. Run by surface.test.mjs.
import { readFileSync } from "node:fs";
import * as glue from "../target/js/glue.js";

glue.initSync({ module: readFileSync(new URL("../pkg/dist/cql.wasm", import.meta.url)) });
const metadata = glue.Metadata.of_columns([{ type: "int" }]);
const call = { describe: () => metadata.describe(), tables: () => glue.tables() }[process.argv[2]];
let isArmed = false;
let hits = 0;
for (const key of ["kind", "keyspace", "errors"]) {
  Object.defineProperty(Object.prototype, key, {
    configurable: true,
    set(value) {
      if (isArmed) {
        hits++;
        %DeoptimizeFunction(call);
      }
      Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}
%PrepareFunctionForOptimization(call);
for (let i = 0; i < 2000; i++) call();
%OptimizeFunctionOnNextCall(call);
call();
call();
isArmed = true;
call();
if (hits === 0) throw new Error("nothing was deoptimised: the probe proves nothing");
