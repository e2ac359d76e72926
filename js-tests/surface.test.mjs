// The wasm's exported surface and the package's, held by golden files: a change shows in review. To take a change:
// UPDATE=1 node --test js-tests/surface.test.mjs
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import * as cqlwire from "cqlwire";
import * as client from "cqlwire/client";

const golden = (name, text) => {
  const file = new URL(`golden/${name}`, import.meta.url);
  if (process.env.UPDATE) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, "utf8"));
};

test("what the wasm exports, and that nothing but the codec's glue is imported", () => {
  const bytes = readFileSync(createRequire(import.meta.url).resolve("cqlwire/cql.wasm"));
  const module = new WebAssembly.Module(bytes);
  const lines = WebAssembly.Module.exports(module).map(({ kind, name }) => `${kind} ${name}`).sort();
  golden("wasm-exports.txt", lines.join("\n") + "\n");
  for (const { module: from, name } of WebAssembly.Module.imports(module)) assert.match(`${from} ${name}`, /^\.\/cqlwire_bg\.js __wb/);
});

test("what the package exports, and that its types name the same", () => {
  const lines = [...Object.keys(cqlwire).map((name) => `cqlwire ${name}`), ...Object.keys(client).map((name) => `cqlwire/client ${name}`)];
  golden("package-exports.txt", lines.sort().join("\n") + "\n");
  for (const [file, exported] of [["index", cqlwire], ["client", client]]) {
    const types = readFileSync(new URL(`../pkg-template/types/${file}.d.ts`, import.meta.url), "utf8");
    const named = [...types.matchAll(/^export (?:declare )?(?:class|function|const) (\w+)/gm)].map((match) => match[1]);
    const reexported = [...types.matchAll(/^export \{([^}]*)\} from/gm)].flatMap((m) => m[1].split(",").map((n) => n.trim())).filter((n) => n && !n.startsWith("type "));
    assert.deepEqual([...new Set([...named, ...reexported])].sort(), Object.keys(exported).sort(), file);
  }
});

test("glue.d.ts declares what the glue has", async () => {
  const declared = readFileSync(new URL("../pkg-template/src/codec/glue.d.ts", import.meta.url), "utf8");
  const conn = declared.slice(declared.indexOf("class Conn"));
  const methods = [...conn.matchAll(/^ {4}(?:static )?(\w+)\(/gm)].map((match) => `function conn_${match[1] === "constructor" ? "new" : match[1]}`);
  const lines = readFileSync(new URL("golden/wasm-exports.txt", import.meta.url), "utf8").split("\n");
  assert.deepEqual(methods.sort(), lines.filter((line) => line.startsWith("function conn_")).sort());
});
