'use strict';
// This package as a peer of benches/peers, through what it publishes and nothing else. The harness checks every result before it is timed.
const { Codec } = require('cqlwire');
const { version } = require('cqlwire/package.json');

const CONSISTENCY = 'LOCAL_QUORUM';
const FIXED = { int: 4, bigint: 8, float: 4, double: 8 };
const ARRAYS = { float: Float32Array, double: Float64Array, int: Int32Array, bigint: BigInt64Array };

const parseVector = (type) => /^vector<(.+),(\d+)>$/.exec(type);
const text = (bytes) => Buffer.from(bytes).toString();

/** Serialised value → what an application has: numbers in arrays, or (`typed`) in typed arrays. */
function appValue(type, bytes, typed) {
  const vector = parseVector(type);
  const at = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (vector) {
    const size = FIXED[vector[1]];
    const list = Array.from({ length: Number(vector[2]) }, (_, i) => appValue(vector[1], bytes.subarray(i * size, (i + 1) * size)));
    return typed ? ARRAYS[vector[1]].from(list) : list;
  }
  switch (type) {
    case 'int': return at.getInt32(0);
    case 'bigint': return at.getBigInt64(0);
    case 'double': return at.getFloat64(0);
    case 'float': return at.getFloat32(0);
    case 'boolean': return bytes[0] === 1;
    case 'timestamp': return new Date(Number(at.getBigInt64(0)));
    case 'uuid': return text(bytes.toString('hex')).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    case 'text': return text(bytes);
    case 'blob': return new Uint8Array(bytes);
  }
  throw new Error(`no application value of ${type}`);
}

/** A statement as its PREPARED describes it: a server's codec writes it, a client's reads it. */
function prepare(version, id, resultMetadataId, types) {
  const [server, client] = [new Codec({ role: 'server', version }), new Codec({ version })];
  const bind = types.map((type, index) => ({ keyspace: 'bench', table: 't', name: `p${index}`, type }));
  const answer = { opcode: 'RESULT', kind: 'Prepared', id, resultMetadataId, bind, result: [] };
  return client.feed(server.encode(answer, 1))[0];
}

const unhex = (value) => (value === null ? null : new Uint8Array(Buffer.from(value, 'hex')));

function encode(sc) {
  const { unset } = require('cqlwire');
  const compression = /lz4|snappy/.exec(sc.wire)?.[0] ?? 'none';
  const codec = new Codec({ version: sc.version, established: { compression } });
  const prepared = sc.statements.map((st) => st.id && prepare(sc.version, unhex(st.id), sc.result_id ? unhex(sc.result_id) : new Uint8Array(0), st.types));
  const params = (value) => sc.statements.map((st) => st.values.map((v, i) => (v === 'unset' ? unset : v === null ? null : value(st.types[i], unhex(v)))));
  const frame = (rows, types) => {
    const statement = (values, i) => (prepared[i] ? { prepared: prepared[i], params: values } : { query: sc.statements[i].query, params: values, types });
    if (sc.op === 'BATCH') return codec.encode({ opcode: 'BATCH', consistency: CONSISTENCY, statements: rows.map(statement) }, 1);
    if (sc.op === 'QUERY') return codec.encode({ opcode: 'QUERY', query: sc.statements[0].query, consistency: CONSISTENCY }, 1);
    return codec.encode({ opcode: 'EXECUTE', prepared: prepared[0], params: rows[0], consistency: CONSISTENCY }, 1);
  };
  const bytes = params((_, b) => b);
  const variants = [{ name: 'bytes', fn: () => frame(bytes) }];
  if (sc.wire !== 'plain' || bytes[0].length === 0) return variants;
  const types = sc.statements[0].types;
  const values = params((type, b) => appValue(type, Buffer.from(b)));
  variants.push({ name: 'values', fn: () => frame(values, types) });
  if (types.some(parseVector)) {
    const arrays = params((type, b) => appValue(type, Buffer.from(b), true));
    variants.push({ name: 'typed-arrays', fn: () => frame(arrays, types) });
  }
  return variants;
}

/** What this package decodes → the harness's canonical form. */
function canonical(type, value) {
  if (value === null) return null;
  if (parseVector(type)) return Array.from(value);
  if (type === 'uuid') return Buffer.from(value.replaceAll('-', ''), 'hex');
  if (type === 'timestamp') return value.getTime();
  return type === 'blob' ? Buffer.from(value.buffer, value.byteOffset, value.length) : value;
}

function canCheckArrow() {
  try {
    return Boolean(require.resolve('apache-arrow'));
  } catch {
    return false;
  }
}

/** A stream of one record batch, as apache-arrow reads it → rows in canonical form. */
function ofArrow(types, bytes) {
  const { tableFromIPC } = require('apache-arrow');
  const table = tableFromIPC(bytes);
  const cell = (type, value) => {
    if (value === null) return null;
    if (parseVector(type)) return Array.from(value);
    return type === 'uuid' || type === 'blob' ? Buffer.from(value) : value;
  };
  return Array.from({ length: table.numRows }, (_, row) => types.map((type, i) => cell(type, table.getChildAt(i).get(row))));
}

function decode(sc, raw) {
  const header = Buffer.from([0x84, 0, 0, 1, 8, 0, 0, 0, 0]);
  header.writeInt32BE(raw.length, 5);
  const frame = new Uint8Array(Buffer.concat([header, raw]));
  const codec = new Codec({ version: 4, established: { compression: 'none' } });
  const page = () => codec.feed(frame)[0];
  const ofRows = (rows) => rows.map((row) => sc.types.map((type, i) => canonical(type, row[`c${i}`])));
  const ofColumns = (columns) => Array.from({ length: sc.rows }, (_, row) => sc.types.map((type, i) => canonical(type, columns[i].at(row))));
  const borrowed = () => codec.borrow(frame, (lent) => ofColumns(lent.columns))[0].borrowed;
  return [
    { name: 'rows', fn: () => page().rows, view: ofRows },
    { name: 'columns', fn: () => page().columns, view: ofColumns },
    canCheckArrow() ? { name: 'arrow', fn: () => page().toArrowIPC(), view: (bytes) => ofArrow(sc.types, bytes) } : { name: 'arrow', skip: 'apache-arrow, which reads it for the check, is not installed' },
    // Every array of every column made, as views; the check copies their values out while they are there.
    { name: 'borrow', fn: () => codec.borrow(frame, (lent) => lent.columns.map(({ values, offsets }) => values.length + (offsets?.length ?? 0))), view: borrowed },
  ];
}

function value(sc, raw) {
  const { decodeValue, parseType } = require('cqlwire');
  const type = parseType(sc.type.replaceAll(/\([\d,]+\)/g, ''));
  const bytes = new Uint8Array(raw);
  return [{ name: 'value', fn: () => decodeValue(type, bytes) }];
}

module.exports = {
  peer: `npm:cqlwire@${version}`,
  variants: (sc, raw) => ({ encode, decode, value })[sc.kind](sc, raw),
};
