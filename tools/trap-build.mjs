// trap-build.mjs OUT_DIR: a copy of pkg/ whose wasm can be told to trap: its export `tell_trap(n)` makes the n-th call from now into a
// codec's connection end in `unreachable`, as a panic does. For js-tests/trap.test.mjs.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import binaryen from "binaryen";

const [out] = process.argv.slice(2);
const { i32, none } = binaryen;
const module = binaryen.readBinary(readFileSync("pkg/dist/cql.wasm"));
const countdown = () => module.global.get("countdown", i32);
module.addGlobal("countdown", i32, true, module.i32.const(0));
module.addFunction("tell_trap", binaryen.createType([i32]), none, [], module.global.set("countdown", module.local.get(0, i32)));
module.addFunctionExport("tell_trap", "tell_trap");

const exports = Array.from({ length: module.getNumExports() }, (_, index) => binaryen.getExportInfo(module.getExportByIndex(index)));
for (const { kind, name, value } of exports) {
  if (kind !== binaryen.ExternalFunction || !name.startsWith("conn_")) continue;
  const { params, results } = binaryen.getFunctionInfo(module.getFunction(value));
  const count = module.global.set("countdown", module.i32.sub(countdown(), module.i32.const(1)));
  const guard = module.if(countdown(), module.block(null, [count, module.if(module.i32.eqz(countdown()), module.unreachable())]));
  const args = binaryen.expandType(params).map((type, index) => module.local.get(index, type));
  module.addFunction(`guarded_${name}`, params, results, [], module.block(null, [guard, module.call(value, args, results)], results));
  module.removeExport(name);
  module.addFunctionExport(`guarded_${name}`, name);
}
const wasm = module.emitBinary();
if (!WebAssembly.validate(wasm)) throw new Error("binaryen wrote a module that this Node.js refuses");

rmSync(out, { recursive: true, force: true });
cpSync("pkg", out, { recursive: true });
writeFileSync(join(out, "dist/wasm.js"), `export default "${Buffer.from(wasm).toString("base64")}";\n`);
