// Rows and columns come out the same by every way there is to make them: with Node.js's `Buffer` and without, with code made from text and without.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { check } from "./page-values.mjs";

test("in this process", check);

for (const [name, flags, hide] of [
  ["without Buffer", [], "delete globalThis.Buffer;"],
  ["without code from text", ["--disallow-code-generation-from-strings"], ""],
  ["without either", ["--disallow-code-generation-from-strings"], "delete globalThis.Buffer;"],
]) {
  test(name, () => {
    // The package looks for `Buffer` when it is loaded; the pages are made with it.
    const script = `const { Buffer } = globalThis; ${hide} await import("cqlwire"); globalThis.Buffer ??= Buffer; (await import("./js-tests/page-values.mjs")).check();`;
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [...flags, "--input-type=module", "-e", script], { encoding: "utf8", cwd, timeout: 60_000 });
    assert.equal(status, 0, stderr);
  });
}
