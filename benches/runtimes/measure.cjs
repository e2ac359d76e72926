'use strict';
// measure.cjs PEERS_DIR: three scenarios of benches/peers, ours and cassandra-driver, in the runtime that runs this; JSON lines. It has no harness:
// the results were checked in Node.js, by benches/peers.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join, resolve } = require('node:path');
const process = require('node:process');
const { performance } = require('node:perf_hooks');

const SCENARIOS = [ // name, our variant, the peer's
  ['dec_small_10x3', 'rows', 'sync'],
  ['dec_1k_vec768', 'columns', 'sync'],
  ['enc_batch_10x2_vec128', 'typed-arrays', 'values'],
];
const [dir] = process.argv.slice(2).map((path) => resolve(path));
const ours = require('../js/peers.cjs');
const theirs = createRequire(join(dir, 'node/harness.js'))('./cassandra_driver.js');
const manifest = JSON.parse(readFileSync(join(dir, 'data/manifest.json'), 'utf8'));
const runtime = globalThis.Deno ? `Deno ${globalThis.Deno.version.deno}` : globalThis.Bun ? `Bun ${globalThis.Bun.version}` : `Node.js ${process.version.slice(1)}`;

/** Deno has no clock of CPU time. The least of many short samples is what nobody disturbed. */
const clock = () => performance.now() * 1e6;
function least(fn, seconds) {
  const now = (n) => { const start = clock(); for (let i = 0; i < n; i++) fn(); return (clock() - start) / n; };
  for (const end = clock() + seconds * 1e9; clock() < end;) now(1);
  let n = 1;
  while (n * now(n) < 2e6) n *= 2;
  let best = Infinity;
  const end = clock() + seconds * 1e9;
  for (let round = 0; round < 5 || clock() < end; round++) best = Math.min(best, now(n));
  return best;
}

for (const [name, our, their] of SCENARIOS) {
  const scenario = manifest.find((one) => one.name === name);
  const body = readFileSync(join(dir, 'data', `${name}.bin`));
  const time = (peer, variant) => least(peer.variants(scenario, body).find((one) => one.name === variant).fn, Number(process.env.BENCH_BUDGET ?? 0.5));
  console.log(JSON.stringify({ runtime, name, ours: time(ours, our), theirs: time(theirs, their), variant: our }));
}
