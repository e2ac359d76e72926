// examples.mjs FILE: runs the ```js blocks of the README or of a .d.ts file's comments, each as a module of its own in target/examples/.
// (Any other word after ```js, as in "```js no-run", keeps a block from being run.) Needs the package (tools/build.sh); the README and
// client.d.ts also CQL=host:port, as tools/with-cassandra.sh sets it.
//
// A README's block stands alone. One of a .d.ts file has the names of its package, and in client.d.ts `client`, connected to a keyspace "shop"
// with the tables below. A line that ends in "// → TEXT" is an assertion: what Node.js prints of the value is TEXT, or it `throws CODE`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

/** The code of each block, and its first line. What is before it in each line of a comment goes. */
function blocksOf(text) {
  const lines = text.split("\n").map((line) => line.replace(/^\s*\* ?(?!\/)/, (star) => (text.startsWith("#") ? star : "")));
  const blocks = [];
  for (let i = 0; i < lines.length; i++) {
    if (!lines[i].startsWith("```")) continue;
    const start = i;
    do i++; while (i < lines.length && !lines[i].startsWith("```"));
    if (lines[start].trim() === "```js") blocks.push({ line: start + 2, lines: lines.slice(start + 1, i) });
  }
  return blocks;
}

/** "EXPRESSION; // → TEXT" as a call; of a declaration, what it declares. */
function asserted(line, number) {
  const [, indent, code, text] = /^(\s*)(.*?);?\s*\/\/ → (.*)$/.exec(line) ?? [];
  if (code === undefined) return line;
  const name = /^(?:const|let) (\w+) =/.exec(code)?.[1];
  return `${indent}${name ? `${code}; ` : ""}await shows(async () => (${name ?? code}), ${JSON.stringify(text)}, ${number});`;
}

const HELPER = `import { inspect } from "node:util";
export async function shows(expression, text, line) {
  let shown;
  try {
    shown = inspect(await expression(), { breakLength: Infinity, compact: true, depth: 9 });
  } catch (error) {
    if (error.code === undefined) throw error;
    shown = \`throws \${error.code}\`;
  }
  if (shown !== text) throw new Error(\`line \${line}: \${shown}, not \${text}\`);
}
`;
const SERVER = `const client = await Client.connect({ contactPoints: [process.env.CQL] });
for (const query of [
  "CREATE KEYSPACE IF NOT EXISTS shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
  "USE shop",
  "CREATE TABLE IF NOT EXISTS docs (topic text, id int, title text, embedding vector<float, 3>, PRIMARY KEY (topic, id))",
  "CREATE TABLE IF NOT EXISTS carts (user text PRIMARY KEY, total int)",
  "CREATE TABLE IF NOT EXISTS items (user text, id int, PRIMARY KEY (user, id))",
  "TRUNCATE docs",
]) await client.execute(query);
`;

/** A module that runs the block; `shop` by a name that no one else has. */
async function moduleOf({ line, lines }, name) {
  const body = lines.map((text, index) => asserted(text, line + index)).join("\n");
  const entry = name === "client.d.ts" ? "cqlwire/client" : "cqlwire";
  const names = Object.keys(await import(entry)).join(", ");
  const live = name === "client.d.ts";
  const code = `import { ${names} } from "${entry}";\nimport { shows } from "./shows.mjs";\n${live ? SERVER : ""}{\n${body}\n}\n${live ? "await client.close();\n" : ""}`;
  return code.replaceAll(/\bshop\b/g, "cqlwire_examples");
}

const path = process.argv[2];
const name = basename(path);
const text = readFileSync(path, "utf8");
const blocks = blocksOf(text);
assert(blocks.length > 0, `${path} has no \`\`\`js block to run`);
const folder = `target/examples/${name}`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/shows.mjs`, HELPER);

const isReadme = name === "README.md";
if (!isReadme) {
  const examples = text.split("@example").length - 1;
  assert.equal(blocks.length, examples, `${path} has ${examples} @example, and ${blocks.length} blocks of code that run`);
}
const files = await Promise.all(
  blocks.map(async (block, i) => {
    const file = `${folder}/${i + 1}.mjs`;
    writeFileSync(file, isReadme ? block.lines.join("\n") + "\n" : await moduleOf(block, name));
    return file;
  }),
);
// The README's are as a reader runs them, each in a process; the others are many and small.
const runs = isReadme ? files.map((file) => [file]) : [files];
for (const [i, run] of runs.entries()) {
  const where = isReadme ? `${path}:${blocks[i].line} (${run[0]})` : path;
  if (isReadme) console.log(`--- ${where}`);
  const main = `${folder}/main.mjs`;
  const each = (file, block) => `try { await import(${JSON.stringify(`./${basename(file)}`)}); } catch (error) { console.error("${path}:${block.line} (${file})"); throw error; }\n`;
  if (!isReadme) writeFileSync(main, run.map((file, j) => each(file, blocks[j])).join(""));
  const { status, signal, error } = spawnSync(process.execPath, [isReadme ? run[0] : main], { stdio: "inherit", timeout: 60_000 });
  if (status !== 0) {
    console.error(`error: the code of ${where} ended with ${error?.code ?? signal ?? `exit status ${status}`}`);
    process.exit(1);
  }
}
console.log(`${path}: all ${blocks.length} blocks of code ran`);
