'use strict';
// Adapter for npm node-cassandra-cql (2015, protocol v2: the forerunner of cassandra-driver), through its internal codec modules. Rows of
// v2 have the layout of v4's; its requests have not, so there is nothing of them to compare. It has no vectors.
const streams = require('node-cassandra-cql/lib/streams.js');
const { parseVector } = require('./harness');

function norm(t, v) {
  if (v === null) return null;
  return t === 'uuid' ? Buffer.from(v.replaceAll('-', ''), 'hex') : t === 'timestamp' ? v.getTime() : t === 'bigint' ? BigInt(v.toString()) : v;
}

function decode(sc, raw) {
  if (sc.types.some(parseVector)) return [{ name: 'sync', skip: 'no vectors' }];
  const header = { streamId: 1, opcode: 8, bodyLength: raw.length };
  const view = rows => rows.map(r => sc.types.map((t, i) => norm(t, r['c' + i])));
  const parser = new streams.Parser({ objectMode: true }), noop = err => { if (err) throw err; };
  let rows;
  parser.push = item => { if (item.row) rows.push(item.row); };
  return [{ name: 'sync', fn: () => { rows = []; parser._transform({ header, chunk: raw, frameEnded: true }, null, noop); return rows; }, view, note: 'Parser called directly, on the body alone' }];
}

module.exports = {
  peer: 'npm:node-cassandra-cql@' + require('node-cassandra-cql/package.json').version,
  variants: (sc, raw) => sc.kind === 'decode' ? decode(sc, raw) : [{ name: 'sync', skip: 'protocol v2 without vectors' }],
};
