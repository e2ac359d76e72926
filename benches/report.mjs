// report.mjs DIR: what benches/run.sh measured (DIR/*.jsonl, *.md, growth.json) as docs/performance.svg and docs/growth.svg, and between the markers
// `<!-- begin NAME -->` and `<!-- end NAME -->` of docs/performance.md and the README. What stands outside of them is written by hand.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dots, panels } from "./svg.mjs";

const [dir] = process.argv.slice(2);
const read = (name) => readFileSync(join(dir, name), "utf8");
const jsonl = (name) => read(name).trim().split("\n").map((line) => JSON.parse(line));

const time = (ns) => {
  const [scale, unit] = ns >= 1e9 ? [1e9, "s"] : ns >= 1e6 ? [1e6, "ms"] : ns >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return `${Number((ns / scale).toPrecision(3))} ${unit}`;
};
const times = (ratio) => `${ratio.toPrecision(2).replace(/^(\d+)\.0$/, "$1").replace(/e\+\d+$/, "")}`;
const ratioText = (ratio) => (ratio >= 100 ? ratio.toFixed(0) : ratio >= 10 ? ratio.toFixed(0) : times(ratio));
const table = (head, rows) => [`| ${head.join(" | ")} |`, `|---${"|--:".repeat(head.length - 1)}|`, ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");

// ---- who is who: `npm:cqlwire@0.1.0` is ours, the others by language and name, each by its fastest variant

const LANGUAGES = { npm: "js", js: "js", pypi: "py", crates: "rs" };
const peerName = (peer) => {
  const [, kind, name] = /^(\w+):(.*)@/.exec(peer);
  return name === "cqlwire" ? "ours" : `${LANGUAGES[kind]} ${name}`;
};
function fastest(lines) {
  const scenarios = new Map();
  for (const { peer, scenario, variant, ns_per_op_min: ns } of lines) {
    if (!scenarios.has(scenario)) scenarios.set(scenario, {});
    const peers = scenarios.get(scenario);
    const name = peerName(peer);
    if (ns && !(peers[name]?.ns <= ns)) peers[name] = { ns, variant };
    if (ns && name === "ours") (peers.variants ??= {})[variant] = ns;
  }
  return scenarios;
}
const main = fastest(jsonl("peers.jsonl"));
const shapes = fastest(jsonl("shapes.jsonl"));
const PEERS = ["js cassandra-driver", "js node-cassandra-cql", "js handwritten", "py scylla-driver", "py cassandra-driver", "rs scylla-cql", "rs cassandra-protocol"];

// ---- the pictures

const KINDS = [["Requests: encode", /^enc_(?!v[45])/], ["Compression and segments: encode", /^enc_v[45]/], ["Results: decode", /^dec_/], ["One vector: decode", /^val_/]];
const sections = KINDS.map(([title, pattern]) => ({
  title,
  rows: [...main, ...shapes].filter(([name]) => pattern.test(name)).map(([name, peers]) => ({
    name: name.replace(/^(enc|dec|val)_/, ""), ours: peers.ours?.ns, peers: Object.fromEntries(PEERS.map((peer) => [peer, peers[peer]?.ns])),
  })),
}));
writeFileSync("docs/performance.svg", dots("CPU time of one operation, each package by its fastest way (left is better)", sections, PEERS));
const growth = JSON.parse(read("growth.json"));
writeFileSync("docs/growth.svg", panels("How cost grows", growth));

// ---- the tables

/** Of the README: [scenario, in words, our variant]. */
const SHOWN = [
  ["dec_small_10x3", "10 rows of int, text, double → objects", "rows"],
  ["dec_mixed_1kx5", "1,000 rows of 5 kinds → objects", "rows"],
  ["dec_mixed_1kx5", "the same → columns", "columns"],
  ["dec_100kx2_int", "100,000 rows of 2 int → columns", "columns"],
  ["dec_10kx4_text", "10,000 rows of 4 text → objects", "rows"],
  ["dec_1k_vec768", "1,000 vectors of 768 floats → objects", "rows"],
  ["dec_1k_vec768", "the same → columns", "columns"],
  ["enc_batch_10x2_vec128", "BATCH of 10 vectors of 128 floats, from Float32Array", "typed-arrays"],
  ["enc_batch_50x10_text", "BATCH of 50 × 10 text", "values"],
  ["enc_execute_mix12", "EXECUTE of 12 kinds", "values"],
  ["enc_v5_lz4_16KiB", "EXECUTE of 16 KiB, v5 segments with LZ4", "bytes"],
];
const LANGUAGE = { "hand-written JavaScript": /^js handwritten$/, "fastest in Python": /^py /, "fastest in Rust": /^rs / };
/** Theirs of the same kind of parameters: ready bytes are compared with ready bytes. */
const lines = jsonl("peers.jsonl");
const theirs = (scenario, variant, pattern) =>
  lines.filter((one) => one.scenario === scenario && pattern.test(peerName(one.peer)) && one.ns_per_op_min && (!scenario.startsWith("enc_") || (one.variant === "bytes") === (variant === "bytes")))
    .reduce((least, one) => Math.min(least, one.ns_per_op_min), Infinity);
const shown = SHOWN.map(([scenario, words, variant]) => {
  const ours = main.get(scenario).variants?.[variant];
  const ratio = (pattern) => {
    const ns = theirs(scenario, variant, pattern);
    return ours && Number.isFinite(ns) ? `${ratioText(ns / ours)} ×` : "–";
  };
  return [words, ours ? time(ours) : "–", ratio(/^js cassandra-driver$/), ...Object.values(LANGUAGE).map(ratio)];
});
const readme = table(["", "cqlwire", "`cassandra-driver` (npm)", ...Object.keys(LANGUAGE)], shown);

const floors = [...jsonl("peers-floor.jsonl"), ...jsonl("shapes-floor.jsonl")].map(({ name, bytesIn, bytesOut, floor, columns, rows }) => {
  const aim = /vec/.test(name) ? 2.5 : /mixed|small/.test(name) ? undefined : 4;
  const ratio = columns / floor;
  return [name, bytesIn.toLocaleString("en"), bytesOut.toLocaleString("en"), time(floor), time(columns), ratio.toFixed(2), aim ? `${aim}${ratio <= aim ? "" : ", missed"}` : "–", (rows / floor).toFixed(2)];
});
const grown = growth.map(({ name, axis, points, steep }) => {
  const [first, last] = [points[0], points.at(-1)];
  const each = ({ size, ours }) => time(ours / size);
  const over = steep.map(({ from, to, cost, allowed }) => `${from} → ${to}: ${cost.toFixed(2)} (${allowed.toFixed(2)} allowed)`).join("; ") || "none";
  return [name, `${first.size.toLocaleString("en")} → ${last.size.toLocaleString("en")} ${axis}`, `${time(first.ours)} → ${time(last.ours)}`, /chunk/.test(axis) ? "–" : `${each(first)} → ${each(last)}`, (last.ours / last.floor).toFixed(2), over];
});

const runtimes = [...Map.groupBy?.(jsonl("runtimes.jsonl"), ({ runtime }) => runtime) ?? group(jsonl("runtimes.jsonl"))];
/** Map.groupBy, which Node.js 20 has not. */
function group(all) {
  const map = new Map();
  for (const one of all) map.set(one.runtime, [...(map.get(one.runtime) ?? []), one]);
  return map;
}
const runtimeRows = runtimes.map(([runtime, measured]) => [runtime, ...measured.map(({ ours, theirs }) => `${time(ours)} (${ratioText(theirs / ours)} ×)`)]);

const judged = spawnSync("benches/peers/judge.py", [join(dir, "peers.jsonl")], { encoding: "utf8" });
if (!/targets met/.test(judged.stdout)) throw new Error(`judge.py: ${judged.stderr}`);

/** What is missed, beside what JavaScript written for just that shape needs: nothing in JavaScript's memory is much cheaper. */
const misses = [...judged.stdout.matchAll(/^MISS +(\S+) +(\S+) +\d+ ns +vs (\S+ \S+) +(\d+) ns +ratio (\S+) +target (\S+)/gm)].map(([, scenario, variant, peer, ns, ratio, target]) => {
  const hand = lines.find((one) => peerName(one.peer) === "js handwritten" && one.scenario === scenario && one.variant === variant)?.ns_per_op_min;
  return [`${scenario} \`${variant}\` : ${peer}`, target, Number(ratio).toPrecision(2), hand ? (hand / ns).toPrecision(2) + (hand / ns <= target ? "" : " (missed)") : "–"];
});

/** The tables of benches/peers/table.py, their headings two levels down. */
const peerTables = (name) => read(name).split("\n").slice(2).join("\n").replace(/^## /gm, "#### ").trim();

function fill(file, blocks) {
  let text = readFileSync(file, "utf8");
  for (const [name, content] of Object.entries(blocks)) {
    const [begin, end] = [`<!-- begin ${name} -->\n`, `\n<!-- end ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${file} has no markers of ${name}`);
    text = text.slice(0, from + begin.length) + content.trim() + text.slice(to);
  }
  writeFileSync(file, text);
}
fill("docs/performance.md", {
  machine: `Measured on ${/model name\s*: (.*)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? process.arch}, one core, Node.js ${process.version.slice(1)}, ${execFileSync("rustc", ["-V"], { encoding: "utf8" }).trim()}.`,
  summary: readme,
  judge: `\`\`\`\n${judged.stdout.trim()}\n\`\`\``,
  misses: table(["missed line", "target", "cqlwire", "hand-written JavaScript"], misses),
  floor: table(["scenario", "bytes in", "bytes out", "floor", "columns", "columns ÷ floor", "aim", "rows ÷ floor"], floors),
  growth: table(["what", "from, to", "time", "for each", "÷ floor, at the end", "steps over 2.2 beyond the floor"], grown),
  runtimes: table(["", "10 rows of int, text, double → objects", "1,000 vectors of 768 floats → columns", "BATCH of 10 vectors of 128 floats, from Float32Array"], runtimeRows),
  sizes: read("sizes.md"),
  peers: peerTables("peers.md"),
  shapes: peerTables("shapes.md"),
});
fill("README.md", { speed: readme });
