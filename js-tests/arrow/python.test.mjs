// The pages of arrow.test.mjs as pyarrow and DuckDB read them: all written to a folder, one Python process for the lot. ARROW_PYTHON is a Python
// that has both (`tools/arrow.sh` makes one and says where).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { arrowStream } from "cqlwire";
import fc from "fast-check";
import { arrowType, expected, nullKeys, unmetLimits } from "./expected.mjs";
import { pageOf, pageOfMetadata, randomCase, tableCases } from "./pages.mjs";

const FOLDER = fileURLToPath(new URL("../../target/arrow/", import.meta.url));
const SCRIPT = fileURLToPath(new URL("read.py", import.meta.url));

/** The special cases, by the name of their file. */
const names = Array.from({ length: 500 }, (_, index) => `c${index}`);
const wide = pageOf(
  Object.fromEntries(names.map((name, index) => [name, index % 2 ? "text" : "int"])),
  [0, 1].map((row) => names.map((_, index) => (index % 2 ? `${row}` : index))),
);
const twins = pageOfMetadata(
  [{ name: "c", type: "int" }, { name: "c", type: "text" }, { name: "", type: "blob" }, { name: "Ü\0😀", type: "int" }],
  [[1, "a", null, 2]],
);
const noColumns = pageOfMetadata([], [[], [], []]);
const of = (rows) => pageOf({ id: "int", v: "vector<float, 2>", m: "map<int, text>" }, rows);
const pages = [of([[1, [1, 2], new Map([[1, "a"]])], [2, null, null]]), of([]), of([[null, [5, 6], new Map()]])];

const table = tableCases();
const randomCases = fc.sample(fc.integer({ min: 1 }), { numRuns: 400, seed: 7 }).map((seed) => randomCase(seed));

let results;
before(async () => {
  assert.ok(process.env.ARROW_PYTHON, "ARROW_PYTHON is not set: run these tests by make test, or ARROW_PYTHON=$(tools/arrow.sh)");
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const write = (name, bytes) => writeFileSync(`${FOLDER}${name}.arrow`, bytes);
  table.forEach(({ page }, index) => write(`table${index}`, page.toArrowIPC()));
  randomCases.forEach(({ page }, index) => write(`random${index}`, page.toArrowIPC()));
  for (const [name, page] of Object.entries({ wide, twins, noColumns })) write(name, page.toArrowIPC());
  const chunks = [];
  for await (const chunk of arrowStream(pages)) chunks.push(chunk);
  write("stream", Buffer.concat(chunks));
  console.log(execFileSync(process.env.ARROW_PYTHON, [SCRIPT, FOLDER], { encoding: "utf8", maxBuffer: 1 << 26 }).trim());
  results = JSON.parse(readFileSync(`${FOLDER}read.json`, "utf8"));
});

/** One column of one file, by both readers. */
function check(found, index, type, values, what) {
  assert.equal(found.rows, values.length, what);
  assert.equal(found.pyarrow[index].type, arrowType(type, nullKeys(type, values)), what);
  for (const reader of ["pyarrow", "duckdb"]) {
    let refusal;
    const wanted = values.map((value) => expected(reader, type, value, (pattern) => (refusal = pattern)));
    const { values: seen, error } = found[reader][index];
    if (refusal) assert.match(String(error), refusal, `${reader}: ${what}`);
    else assert.deepEqual({ values: seen, error }, { values: wanted, error: undefined }, `${reader}: ${what}`);
  }
}

test("every type and value of the table, alone and with nulls", () => {
  table.forEach(({ name, values, page }, index) => check(results[`table${index}`], 0, page.columns[0].type, values, name));
  for (const reader of ["pyarrow", "duckdb"]) assert.deepEqual(unmetLimits(reader), []);
});

test("random pages", () => {
  randomCases.forEach(({ name, rows, page }, index) => {
    page.columns.forEach((column, at) => check(results[`random${index}`], at, column.type, rows.map((row) => row[at]), `${name}, column ${at}, ${column.type.text}`));
  });
});

test("500 columns, columns of one name, no columns", () => {
  wide.columns.forEach((column, index) => check(results.wide, index, column.type, [...column], `column ${index}`));
  assert.deepEqual(results.wide.names, wide.columns.map(({ name }) => name));
  twins.columns.forEach((column, index) => check(results.twins, index, column.type, [...column], column.name));
  assert.deepEqual(results.twins.names, ["c", "c", "", "Ü\0😀"]);
  assert.deepEqual(results.noColumns, { rows: 3, batches: [3], names: [], nullable: true, pyarrow: [], duckdb: [] });
});

test("a stream of pages, one of them without rows", () => {
  assert.deepEqual(results.stream.batches, [2, 0, 1]);
  pages[0].columns.forEach((column, index) => check(results.stream, index, column.type, pages.flatMap((page) => [...page.columns[index]]), column.name));
});
