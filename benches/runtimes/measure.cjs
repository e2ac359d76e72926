'use strict';
// measure.cjs PEERS_DIR: three scenarios of benches/peers, ours and cassandra-driver, in the runtime that runs this; JSON lines. It has no harness:
// the results were checked in Node.js, by benches/peers.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join, resolve } = require('node:path');
const process = require('node:process');
const { times } = require('../js/time.cjs');

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

for (const [name, our, their] of SCENARIOS) {
  const scenario = manifest.find((one) => one.name === name);
  const body = readFileSync(join(dir, 'data', `${name}.bin`));
  const fn = (peer, variant) => peer.variants(scenario, body).find((one) => one.name === variant).fn;
  console.log(JSON.stringify({ runtime, name, ...times({ ours: fn(ours, our), theirs: fn(theirs, their) }, 5e8) }));
}
