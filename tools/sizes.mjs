// What the package weighs, against benches/sizes.json.
//   node tools/sizes.mjs            fails where something weighs over 5 % more than recorded
//   UPDATE=1 node tools/sizes.mjs   records what is less now; UPDATE=grow also what is more
//   node tools/sizes.mjs report     Markdown: these, and what is in the wasm, section by section and crate by crate
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Reader } from "./count-build.mjs";

const record = "benches/sizes.json";
const most = 1.05;

/** As `npm publish` would send it. */
function tarball() {
  const folder = mkdtempSync("target/pack-");
  try {
    const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", join("..", folder)], { cwd: "pkg", encoding: "utf8" }));
    return statSync(join(folder, filename)).size;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const read = (name) => readFileSync(join("pkg/dist", name));
const modules = Buffer.concat(["index.js", "codec.js", "wasm.js"].map(read));
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;
const now = {
  "cql.wasm": read("cql.wasm").length,
  "cql.wasm, gzip": gzip(read("cql.wasm")),
  "codec.js": read("codec.js").length,
  "what a user of the codec loads: index.js, codec.js, wasm.js": modules.length,
  "the same, gzip": gzip(modules),
  "the package as npm sends it": tarball(),
};
const goals = { "cql.wasm": 200_000, "cql.wasm, gzip": 80_000 };
const recorded = JSON.parse(readFileSync(record, "utf8"));
const thousands = (number) => (number === undefined ? "" : number.toLocaleString("en"));

function check() {
  const { begin, budget } = recorded;
  const grew = Object.keys(now).filter((name) => now[name] > (budget[name] ?? 0) * most);
  if (process.env.UPDATE) {
    const keep = (name) => (process.env.UPDATE === "grow" ? now[name] : Math.min(now[name], budget[name] ?? Infinity));
    const next = { begin, budget: Object.fromEntries(Object.keys(now).map((name) => [name, keep(name)])) };
    writeFileSync(record, `${JSON.stringify(next, null, 2)}\n`);
    return console.log(JSON.stringify(next.budget, null, 2));
  }
  for (const [name, bytes] of Object.entries(now)) {
    const change = ((bytes / budget[name] - 1) * 100).toFixed(1);
    console.log(`${thousands(bytes).padStart(9)} bytes  ${`${change} %`.padStart(8)}  ${name}${grew.includes(name) ? "  GREW" : ""}`);
  }
  if (grew.length === 0) return;
  console.error(`error: more than 5 % over benches/sizes.json: ${grew.join("; ")}. Where it has to be so: UPDATE=grow node tools/sizes.mjs`);
  process.exitCode = 1;
}

const SECTIONS = { 1: "types", 2: "imports", 3: "functions", 4: "tables", 5: "memory", 6: "globals", 7: "exports", 9: "elements", 10: "code", 11: "data", 12: "data count" };

/** Bytes by section, and of the code by the crate and module that a function's name begins with. */
function contents(wasm) {
  const sections = new Map();
  const names = new Map();
  let [bodies, imported] = [[], 0];
  const module = new Reader(wasm, 8);
  while (module.at < wasm.length) {
    const id = module.byte();
    const body = module.part();
    const bytes = body.bytes.length;
    if (id === 0) {
      if (body.name() !== "name") continue;
      while (body.at < bytes) {
        const kind = body.byte();
        const part = body.part();
        if (kind === 1) part.list((entry) => names.set(entry.u32(), entry.name()));
      }
      continue;
    }
    sections.set(SECTIONS[id] ?? `section ${id}`, bytes);
    // All of wasm-bindgen's imports are functions: the table and the memory are the module's own.
    if (id === 2) imported = body.u32();
    if (id === 10) bodies = body.list((entry) => entry.part().bytes.length);
  }
  const groups = new Map();
  const functions = bodies.map((bytes, index) => [(names.get(imported + index) ?? "?").replace(/\[[0-9a-f]{16}\]|::h[0-9a-f]{16}$/g, ""), bytes]);
  for (const [name, bytes] of functions) groups.set(group(name), (groups.get(group(name)) ?? 0) + bytes);
  return { sections, groups, functions };
}

/** `<cqlwire::conn::Conn as …>::f` and `cqlwire::conn::…` → `cqlwire::conn`; other crates as a whole. Exports and imports have plain names. */
function group(name) {
  const path = /([a-z][a-z0-9_]*)(?:\[[0-9a-f]+\])?::([a-z][a-z0-9_]*)?/.exec(name.replace(/^[<&(\[]*(dyn |mut )?/, ""));
  if (!path) return /^(conn|tabletvalue|tables|decode|encode|route|__wbg|__wbindgen|externref)/.test(name) ? "the boundary's exports" : "others";
  return path[1] === "cqlwire" && path[2] ? `cqlwire::${path[2]}` : path[1];
}

function report() {
  const named = "target/named.wasm";
  execFileSync("node_modules/.bin/wasm-opt", ["-O3", "--one-caller-inline-max-function-size=40", "-g", "target/js/bindgen/cqlwire_bg.wasm", "-o", named]);
  const { sections, groups, functions } = contents(readFileSync(named));
  const table = (head, rows) => ["", `| ${head.join(" | ")} |`, `|---${"|--:".repeat(head.length - 1)}|`, ...rows.map((row) => `| ${row.join(" | ")} |`)];
  const bySize = (map, least) => [...map].sort((a, b) => b[1] - a[1]).filter(([, bytes]) => bytes >= least).map(([name, bytes]) => [`\`${name}\``, thousands(bytes)]);
  const rest = [...groups.values()].filter((bytes) => bytes < 1000).reduce((sum, bytes) => sum + bytes, 0);
  const lines = [
    ...table(["bytes", "now", "budget", "at the begin", "goal"], Object.keys(now).map((name) => [name, now[name], recorded.budget[name], recorded.begin[name], goals[name]].map((x) => (typeof x === "number" ? thousands(x) : x ?? "–")))),
    "",
    "What is in `cql.wasm`:",
    ...table(["section", "bytes"], bySize(sections, 0)),
    "",
    "And in its code, by the crate (ours by the folder of `src/`) that a function's name begins with; what was inlined counts where it went:",
    ...table(["crate", "bytes"], [...bySize(groups, 1000), ["all others", thousands(rest)]]),
    "",
    "The largest functions, with what was inlined into them:",
    ...table(["function", "bytes"], bySize(functions, 0).slice(0, 20)),
  ];
  console.log(lines.slice(1).join("\n"));
}

if (process.argv[2] === "report") report();
else check();
