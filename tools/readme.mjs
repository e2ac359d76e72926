// Runs the README's code: each block that starts with ```js becomes target/readme/N.mjs and must exit with 0.
// (Any other word after ```js, as in "```js no-run", keeps a block from being run.) Needs the package (tools/build.sh) and
// CQL=host:port: run it under tools/with-cassandra.sh.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const lines = readFileSync("README.md", "utf8").split("\n");
const blocks = [];
for (let i = 0; i < lines.length; i++) {
  if (!lines[i].startsWith("```")) continue;
  const start = i;
  do i++; while (i < lines.length && !lines[i].startsWith("```"));
  if (lines[start].trim() === "```js") blocks.push({ line: start + 2, code: lines.slice(start + 1, i).join("\n") + "\n" });
}
if (blocks.length === 0) {
  console.error("error: README.md has no ```js block to run");
  process.exit(1);
}

rmSync("target/readme", { recursive: true, force: true });
mkdirSync("target/readme", { recursive: true });
for (const [i, { line, code }] of blocks.entries()) {
  const file = `target/readme/${i + 1}.mjs`;
  writeFileSync(file, code);
  console.log(`--- README.md:${line} (${file})`);
  const { status, signal, error } = spawnSync(process.execPath, [file], { stdio: "inherit", timeout: 60_000 });
  if (status !== 0) {
    console.error(`error: the code at README.md:${line} (${file}) ended with ${error?.code ?? signal ?? `exit status ${status}`}`);
    process.exit(1);
  }
}
console.log(`README.md: all ${blocks.length} blocks of code ran`);
