// Round trips of values that are no row of values-table.mjs: counters, large ones, UDTs whose type has grown, and what the server computes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Duration, LocalDate, LocalTime } from "cqlwire";
import { dropKeyspace, makeKeyspace, open } from "./keyspace.mjs";
import { plain } from "./plain.mjs";

let made;
before(async () => {
  made = await makeKeyspace(
    "roundtrip_special",
    "CREATE TABLE counters (k int PRIMARY KEY, n counter)",
    "CREATE TABLE large (k text PRIMARY KEY, b blob, t text, f vector<float, 1536>, d vector<float, 4096>, l list<int>)",
    "CREATE TYPE grown (a int, b text)",
    "CREATE TABLE grows (k text PRIMARY KEY, u frozen<grown>, w grown, m map<text, frozen<grown>>, t frozen<tuple<grown, int>>, v vector<frozen<grown>, 2>)",
    "CREATE TABLE times (k int PRIMARY KEY, at timestamp, day date, time time, span duration)",
    "CREATE TABLE lists (k int PRIMARY KEY, l list<int>, s set<int>, m map<text, int>)",
  );
});
after(() => dropKeyspace(made));

test("counters", async (t) => {
  const raw = await open(t, 5, "lz4", made);
  const add = await raw.prepare("UPDATE counters SET n = n + ? WHERE k = ?");
  const rows = [[1, [5n, -7], "-2"], [2, ["9223372036854775807"], "9223372036854775807"], [3, [-(2n ** 63n)], "-9223372036854775808"], [4, [2n ** 63n - 1n, 1], "-9223372036854775808"]];
  for (const [k, steps] of rows) for (const step of steps) await raw.execute(add, [step, k]);
  await raw.query("UPDATE counters SET n = n - 40 WHERE k = 5");
  for (const [k, , text] of [...rows, [5, [], "-40"]]) {
    const page = await raw.query(`SELECT n, toJson(n) AS j, CAST(n AS text) AS c FROM counters WHERE k = ${k}`);
    assert.deepEqual(page.rows, [{ n: BigInt(text), j: text, c: text }]);
    assert.equal(page.metadata[0].type.kind, "counter");
  }
});

for (const [version, compression] of [[4, "lz4"], [5, "none"], [5, "lz4"]]) {
  test(`more than a mebibyte, and vectors of 1,536 and 4,096, both ways: v${version}, ${compression}`, async (t) => {
    const raw = await open(t, version, compression, made);
    let state = 7;
    const next = () => (state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff);
    const noise = Uint8Array.from({ length: 1_100_000 }, () => next() >>> 16);
    // Eighths have the same short text in Java and JavaScript.
    const vector = (length) => Float32Array.from({ length }, () => ((next() >>> 8) % 20_000 - 10_000) / 8);
    const [f, d, l] = [vector(1536), vector(4096), Array.from({ length: 5_000 }, () => next() | 0)];
    const text = "é😀x".repeat(150_000);
    const floats = (values) => `[${Array.from(values, (value) => (Number.isInteger(value) ? `${value}.0` : `${value}`)).join(", ")}]`;
    const written = { b: `0x${Buffer.from(noise).toString("hex")}`, f: floats(f), d: floats(d), l: `[${l.join(", ")}]` };
    const insert = await raw.prepare("INSERT INTO large (k, b, t, f, d, l) VALUES (?, ?, ?, ?, ?, ?)");
    const [bound, literal] = [`bound ${version} ${compression}`, `literal ${version} ${compression}`];
    await raw.execute(insert, [bound, noise, text, f, d, l]);
    const [json] = (await raw.query(`SELECT toJson(b) AS b, toJson(t) AS t, toJson(f) AS f, toJson(d) AS d, toJson(l) AS l FROM large WHERE k = '${bound}'`)).rows;
    const expected = { ...written, b: `"${written.b}"`, t: `"${text}"` };
    for (const name of Object.keys(expected)) assert.ok(json[name] === expected[name], name); // a message with both would be of megabytes
    await raw.query(`INSERT INTO large (k, b, t, f, d, l) VALUES ('${literal}', ${written.b}, '${text}', ${written.f}, ${written.d}, ${written.l})`);
    const page = await raw.query(`SELECT b, t, f, d, l FROM large WHERE k = '${literal}'`);
    const [row] = page.rows;
    assert.ok(Buffer.compare(row.b, noise) === 0 && row.t === text);
    assert.deepEqual([row.f, row.d, row.l], [f, d, l]);
    assert.deepEqual([page.column("d").values, page.column("d").stride], [d, 4096]);
  });
}

test("a UDT that has grown: cells of before, and statements of before", async (t) => {
  const raw = await open(t, 5, "lz4", made);
  const insert = await raw.prepare("INSERT INTO grows (k, u, w, m, t, v) VALUES (?, ?, ?, ?, ?, ?)");
  const old = { a: 1, b: "x" };
  // The UDT inside of a vector does not grow with the others, as Cassandra 5.0 has it.
  const values = (u) => [u, u, { k: u }, [u, 7], [old, { a: 2 }]];
  await raw.query("INSERT INTO grows (k, u, w, m, t, v) VALUES ('literal', {a: 1, b: 'x'}, {a: 1, b: 'x'}, {'k': {a: 1, b: 'x'}}, ({a: 1, b: 'x'}, 7), [{a: 1, b: 'x'}, {a: 2}])");
  await raw.execute(insert, ["bound", ...values(old)]);
  await raw.query("ALTER TYPE grown ADD c double");
  await raw.execute(await raw.prepare("INSERT INTO grows (k, u, w, m, t, v) VALUES (?, ?, ?, ?, ?, ?)"), ["new", ...values({ ...old, c: 1.5 })]);
  // Cells with fewer fields than the type has, as older clients write them.
  const cell = Uint8Array.from(Buffer.from("0000000400000001" + "0000000178", "hex"));
  await raw.execute(await raw.prepare("INSERT INTO grows (k, u, w) VALUES (?, ?, ?)"), ["short", cell, cell]);
  for (const reader of [raw, await open(t, 3, "none", made), await open(t, 4, "lz4", made)]) {
    for (const [k, c] of [["literal", null], ["bound", null], ["new", 1.5]]) {
      const [row] = (await reader.query(`SELECT u, w, m, t, v FROM grows WHERE k = '${k}'`)).rows;
      const full = { a: 1, b: "x", c };
      assert.deepEqual(plain(Object.values(row)), plain([full, full, new Map([["k", full]]), [full, 7], [old, { a: 2, b: null }]]), k);
    }
    assert.deepEqual((await reader.query("SELECT u, w FROM grows WHERE k = 'short'")).rows, [{ u: { a: 1, b: "x", c: null }, w: { a: 1, b: "x", c: null } }]);
  }
  const [json] = (await raw.query("SELECT JSON u, w, m, t, v FROM grows WHERE k = 'new'")).rows;
  const u = '{"a": 1, "b": "x", "c": 1.5}';
  assert.equal(json["[json]"], `{"u": ${u}, "w": ${u}, "m": {"k": ${u}}, "t": [${u}, 7], "v": [{"a": 1, "b": "x"}, {"a": 2, "b": null}]}`);
});

test("what the server computes with our times", async (t) => {
  const raw = await open(t, 5, "lz4", made);
  const insert = await raw.prepare("INSERT INTO times (k, at, day, time, span) VALUES (?, ?, ?, ?, ?)");
  const at = new Date(Date.UTC(2024, 1, 29, 12, 34, 56, 789));
  await raw.execute(insert, [1, at, LocalDate.from("2024-02-29"), LocalTime.from("23:59"), Duration.from("1mo2d3h")]);
  const [row] = (await raw.query(
    "SELECT toDate(at) AS a, toTimestamp(day) AS b, toUnixTimestamp(at) AS c, floor(at, 1h) AS d, floor(day, 1mo) AS e, floor(time, 7m) AS f, toUnixTimestamp(day) AS g FROM times WHERE k = 1",
  )).rows;
  const expected = {
    a: LocalDate.from("2024-02-29"),
    b: new Date(Date.UTC(2024, 1, 29)),
    c: BigInt(at.getTime()),
    d: new Date(Date.UTC(2024, 1, 29, 12)),
    e: LocalDate.from("2024-02-01"),
    f: LocalTime.from("23:55"),
    g: BigInt(Date.UTC(2024, 1, 29)),
  };
  assert.deepEqual(plain(row), plain(expected));
  // A bound duration that the server adds.
  const later = await raw.prepare("SELECT k FROM times WHERE k = 1 AND at = '2024-01-27T09:34:56.789Z' + ? ALLOW FILTERING");
  assert.equal(later.bind[0].type.kind, "duration");
  assert.deepEqual((await raw.execute(later, [Duration.from("1mo2d3h")])).rows, [{ k: 1 }]);
});

test("elements of collections, one by one", async (t) => {
  const raw = await open(t, 5, "lz4", made);
  const run = async (query, params) => raw.execute(await raw.prepare(query), params);
  await run("INSERT INTO lists (k, l, s, m) VALUES (1, ?, ?, ?)", [[1, 2, 3], new Set([1]), { a: 1 }]);
  await run("UPDATE lists SET l[?] = ?, s = s + ?, m[?] = ? WHERE k = 1", [1, 20, [5, 4], "b", 2]);
  await run("UPDATE lists SET l = ? + l, s = s - ?, m = m - ? WHERE k = 1", [[0], [1], ["a"]]);
  const select = "SELECT JSON l, s, m FROM lists WHERE k = 1";
  assert.equal((await raw.query(select)).rows[0]["[json]"], '{"l": [0, 1, 20, 3], "s": [4, 5], "m": {"b": 2}}');
  const element = await raw.prepare("SELECT m[?] AS m, s[?..?] AS s FROM lists WHERE k = 1");
  assert.deepEqual(plain((await raw.execute(element, ["b", 5, 9])).rows), plain([{ m: 2, s: [5] }]));
  // What is empty is no collection any more.
  await run("UPDATE lists SET l = ?, s = ?, m = ? WHERE k = 1", [[], [], {}]);
  assert.equal((await raw.query(select)).rows[0]["[json]"], '{"l": null, "s": null, "m": null}');
  assert.deepEqual((await raw.query("SELECT l, s, m FROM lists WHERE k = 1")).rows, [{ l: null, s: null, m: null }]);
});
