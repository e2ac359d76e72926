// The wasm's exported surface and the package's, held by golden files: a change shows in review. To take a change:
// UPDATE=1 node --test js-tests/surface.test.mjs
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
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
    const read = (name) => readFileSync(new URL(`../pkg-template/types/${name}.d.ts`, import.meta.url), "utf8");
    const types = read(file).replaceAll(/^export \* from "\.\/(.*)\.js";$/gm, (_, name) => read(name));
    const named = [...types.matchAll(/^export (?:declare )?(?:class|function|const) (\w+)/gm)].map((match) => match[1]);
    const reexported = [...types.matchAll(/^export \{([^}]*)\} from/gm)].flatMap((m) => m[1].split(",").map((n) => n.trim())).filter((n) => n && !n.startsWith("type "));
    assert.deepEqual([...new Set([...named, ...reexported])].sort(), Object.keys(exported).sort(), file);
  }
});

test("the glue's signatures, and that glue.d.ts declares the same names", () => {
  // wasm-bindgen's output, of which the package's TypeScript knows only what glue.d.ts says
  const glue = readFileSync(new URL("../target/js/glue.js", import.meta.url), "utf8");
  const lines = [];
  for (const [, name, body] of glue.matchAll(/^export class (\w+) \{\n([\s\S]*?)^\}/gm)) {
    for (const [, isStatic = "", method, params] of body.matchAll(/^ {4}(static )?(\w+)\(([^)]*)\) \{$/gm)) {
      if (!method.startsWith("_") && method !== "free") lines.push(`${isStatic}${name}.${method}(${params})`);
    }
  }
  for (const [, name, params] of glue.matchAll(/^export function (\w+)\s*\(([^)]*)\)/gm)) lines.push(`${name}(${params})`);
  golden("glue.txt", lines.sort().join("\n") + "\n");

  const declared = readFileSync(new URL("../pkg-template/src/codec/glue.d.ts", import.meta.url), "utf8");
  const [metadata, conn] = ["class Metadata", "class Conn"].map((name) => {
    const body = declared.slice(declared.indexOf(name) + name.length);
    return [...body.slice(0, body.indexOf("\n  }")).matchAll(/^ {4}(?:static )?(?:private )?(\w+)\(/gm)].map((match) => match[1]);
  });
  const has = (name) => lines.filter((line) => line.includes(`${name}.`)).map((line) => line.split(".")[1].split("(")[0]);
  assert.deepEqual(conn.sort(), has("Conn").sort());
  assert.deepEqual(metadata.filter((name) => name !== "constructor").sort(), has("Metadata").sort());
});

test("no call into the wasm has an object as its only result", () => {
  const files = ["wasm.rs", ...readdirSync(new URL("../src/wasm/", import.meta.url)).map((file) => `wasm/${file}`)];
  const source = files.map((file) => readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8")).join("\n");
  assert.deepEqual(source.match(/pub fn .*-> (JsValue|js_sys::\w+) \{/g), null);
  // The crash itself: the caller is deoptimised while the call runs, here from a setter that the call meets.
  const probe = fileURLToPath(new URL("deoptimised-call.mjs", import.meta.url));
  for (const call of ["describe", "tables"]) {
    const { status, stderr } = spawnSync(process.execPath, ["--allow-natives-syntax", probe, call], { encoding: "utf8" });
    assert.equal(status, 0, `${call}: ${stderr.slice(0, 300)}`);
  }
});

test("every error code that the sources throw is in the README, and no other", () => {
  const root = new URL("../", import.meta.url);
  const sources = readdirSync(new URL("pkg-template/src", root), { recursive: true }).filter((file) => file.endsWith(".ts"));
  const codes = (text) => text.match(/\bCQL_[A-Z][A-Z_]+\b/g) ?? [];
  const thrown = new Set(sources.flatMap((file) => codes(readFileSync(new URL(`pkg-template/src/${file}`, root), "utf8"))));
  thrown.delete("CQL_VERSION"); // STARTUP's option
  // Of servers' errors the README names examples, the client the ones that end a connect.
  const errorNames = [...readFileSync(new URL("src/spec/code.rs", root), "utf8").matchAll(/= 0x[0-9A-F]{4} "(\w+)"/g)].map((match) => `CQL_${match[1]}`);
  const servers = new Set(errorNames);
  const readme = readFileSync(new URL("README.md", root), "utf8");
  const table = readme.slice(readme.indexOf("## Errors"), readme.indexOf("## Map"));
  const own = (set) => [...set].filter((code) => !servers.has(code)).sort();
  assert.deepEqual(own(new Set(codes(table))), own(thrown));
  const types = readFileSync(new URL("pkg-template/types/errors.d.ts", root), "utf8");
  const union = types.slice(types.indexOf("type CqlErrorCode"), types.indexOf("(string & {})"));
  assert.deepEqual(codes(union).sort(), [...new Set([...thrown, ...errorNames])].sort());
});
