'use strict';
// JavaScript written by hand for exactly these shapes, as a careful programmer would who needs nothing else: no package, one buffer per request,
// one object literal's worth of fields per row, Node.js's own byte swaps and checksums. What is faster than this pays for what it can do besides.
// It checks nothing that it reads but what keeps it inside the body.
const zlib = require('zlib');
const { canon, parseVector } = require('./harness');

const OPCODE = { QUERY: 7, EXECUTE: 10, BATCH: 13 };
const ARRAYS = { float: Float32Array, double: Float64Array, int: Int32Array, bigint: BigInt64Array };

// Native byte order from big-endian and back: a copy, swapped in place.
const swap = (buf, size) => size === 4 ? buf.swap32() : buf.swap64();
const bytesOf = (array, buf, at) => { const bytes = Buffer.from(array.buffer, 0, array.byteLength); bytes.set(buf.subarray(at, at + bytes.length)); return bytes; };
function readVector(T, buf, at, n) {
  const out = new T(n);
  swap(bytesOf(out, buf, at), T.BYTES_PER_ELEMENT);
  return out;
}

// ---- requests

let out = Buffer.allocUnsafeSlow(1 << 20), at = 0;
function room(n) {
  if (at + n <= out.length) return;
  const old = out;
  out = Buffer.allocUnsafeSlow(2 * (old.length + n));
  old.copy(out, 0, 0, at);
}
const u8 = x => { out[at++] = x; };
const u16 = x => { out[at++] = x >> 8; out[at++] = x; };
const i32 = x => { out[at++] = x >> 24; out[at++] = x >> 16; out[at++] = x >> 8; out[at++] = x; };
const i64 = x => { at = out.writeBigInt64BE(x, at); };
const put = b => { room(b.length + 64); out.set(b, at); at += b.length; };
const WRITE = {
  int: v => { i32(4); i32(v); }, bigint: v => { i32(8); i64(v); }, boolean: v => { i32(1); u8(v ? 1 : 0); },
  double: v => { i32(8); at = out.writeDoubleBE(v, at); }, float: v => { i32(4); at = out.writeFloatBE(v, at); },
  timestamp: v => { i32(8); i64(BigInt(v.getTime())); }, blob: v => { i32(v.length); put(v); },
  uuid: v => { i32(16); for (let i = 0; i < 36; i += i === 6 || i === 11 || i === 16 || i === 21 ? 3 : 2) u8(parseInt(v.substr(i, 2), 16)); },
  text: v => { room(3 * v.length + 64); const n = out.utf8Write(v, at + 4); i32(n); at += n; },
};
function write(type, v) {
  room(64);
  if (v === null) return i32(-1);
  if (v === 'unset') return i32(-2);
  if (v instanceof Uint8Array) { i32(v.length); return put(v); }
  const vector = type.vector;
  if (!vector) return WRITE[type.cql](v);
  i32(v.length * vector.BYTES_PER_ELEMENT);
  room(v.length * vector.BYTES_PER_ELEMENT + 64);
  if (v instanceof vector) {
    const end = at + v.byteLength;
    out.set(new Uint8Array(v.buffer, v.byteOffset, v.byteLength), at);
    swap(out.subarray(at, end), vector.BYTES_PER_ELEMENT);
    at = end;
  } else if (vector === Float32Array) for (let i = 0; i < v.length; i++) at = out.writeFloatBE(v[i], at);
  else throw new Error('a vector of something else, as an array');
}

function request(sc, statements) {
  at = 9;
  const value = st => { u16(st.values.length); for (let i = 0; i < st.values.length; i++) write(st.types[i], st.values[i]); };
  if (sc.op === 'BATCH') {
    u8(0); u16(statements.length);
    for (const st of statements) {
      room(64);
      if (st.id) { u8(1); u16(16); put(st.id); } else { u8(0); const n = out.utf8Write(st.query, at + 4); i32(n); at += n; }
      value(st);
    }
    room(16); u16(6);
    if (sc.version >= 5) i32(0); else u8(0);
  } else {
    const st = statements[0];
    if (sc.op === 'QUERY') { const n = out.utf8Write(st.query, at + 4); i32(n); at += n; } else { u16(16); put(st.id); }
    if (st.resultId) { u16(16); put(st.resultId); }
    const flags = st.values.length ? 1 : 0;
    u16(6);
    if (sc.version >= 5) i32(flags); else u8(flags);
    if (flags) value(st);
  }
  out[0] = sc.version; out[1] = 0; out[2] = 0; out[3] = 1; out[4] = OPCODE[sc.op];
  out.writeInt32BE(at - 9, 5);
  return Buffer.from(out.subarray(0, at));
}

const CRC24 = Int32Array.from({ length: 256 }, (_, b) => {
  let c = b << 16;
  for (let k = 0; k < 8; k++) c = c & 0x800000 ? (c << 1) ^ 0x1974F0B : c << 1;
  return c & 0xffffff;
});
const CRC32_START = zlib.crc32 && zlib.crc32(Buffer.from('fa2d55ca', 'hex'));
// Self-contained segments only: no scenario's frame is longer than one.
function segment(frame) {
  const seg = Buffer.allocUnsafe(frame.length + 10);
  seg.writeUIntLE(frame.length | 1 << 17, 0, 3);
  let crc = 0x875060;
  for (let i = 0; i < 3; i++) crc = CRC24[(crc >> 16 ^ seg[i]) & 255] ^ (crc << 8 & 0xffffff);
  seg.writeUIntLE(crc, 3, 3);
  seg.set(frame, 6);
  seg.writeUInt32LE(zlib.crc32(frame, CRC32_START), frame.length + 6);
  return seg;
}

function encode(sc) {
  if (/lz4|snappy/.test(sc.wire)) return [{ name: 'bytes', skip: 'no compression by hand' }];
  if (sc.wire === 'v5-plain' && !zlib.crc32) return [{ name: 'bytes', skip: 'this Node.js has no zlib.crc32' }];
  const unhex = v => v === null || v === 'unset' ? v : Buffer.from(v, 'hex');
  const types = t => { const v = parseVector(t); return { cql: t, vector: v && ARRAYS[v[0]] }; };
  const statements = value => sc.statements.map(st => ({
    id: st.id && Buffer.from(st.id, 'hex'), query: st.query, resultId: sc.result_id && Buffer.from(sc.result_id, 'hex'),
    types: st.types.map(types), values: st.values.map((v, i) => value(st.types[i], unhex(v))),
  }));
  const app = typed => (t, b) => {
    const v = canon(t, b), vec = parseVector(t);
    if (v === null || v === 'unset') return v;
    if (vec) return typed ? ARRAYS[vec[0]].from(v) : v;
    return t === 'uuid' ? v.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : t === 'timestamp' ? new Date(v) : v;
  };
  const variant = (name, value) => {
    const list = statements(value);
    return { name, fn: sc.wire === 'v5-plain' ? () => segment(request(sc, list)) : () => request(sc, list) };
  };
  const variants = [variant('bytes', (t, b) => b)];
  if (sc.wire !== 'plain' || !sc.statements[0].values.length) return variants;
  variants.push(variant('values', app(false)));
  if (sc.statements[0].types.some(parseVector)) variants.push(variant('typed-arrays', app(true)));
  return variants;
}

// ---- results

const READ = {
  int: (b, i) => b.readInt32BE(i), bigint: (b, i) => b.readBigInt64BE(i), double: (b, i) => b.readDoubleBE(i), boolean: (b, i) => b[i] === 1,
  timestamp: (b, i) => new Date(b.readInt32BE(i) * 4294967296 + b.readUInt32BE(i + 4)),
  text: (b, i, n) => b.utf8Slice(i, i + n), blob: (b, i, n) => Buffer.copyBytesFrom(b, i, n),
  uuid: (b, i) => { const h = b.hexSlice(i, i + 16); return h.slice(0, 8) + '-' + h.slice(8, 12) + '-' + h.slice(12, 16) + '-' + h.slice(16, 20) + '-' + h.slice(20); },
};
const reader = t => {
  const vec = parseVector(t);
  if (!vec) return READ[t];
  const T = ARRAYS[vec[0]], n = Number(vec[1]);
  return (b, i) => readVector(T, b, i, n);
};

// Where the rows begin. A real page's columns are read here; these types are known beforehand.
function start(sc, b) {
  let i = 12;
  const string = () => { i += 2 + b.readUInt16BE(i); };
  string(); string();
  for (let c = 0; c < sc.types.length; c++) { string(); i += 2; if (b.readUInt16BE(i - 2) === 0) string(); }
  return i;
}

function decode(sc, raw) {
  const readers = sc.types.map(reader), names = sc.types.map((_, i) => 'c' + i);
  const rows = () => {
    let i = start(sc, raw);
    const count = raw.readInt32BE(i), out = new Array(count);
    i += 4;
    for (let r = 0; r < count; r++) {
      const row = {};
      for (let c = 0; c < readers.length; c++) {
        const n = raw.readInt32BE(i);
        i += 4;
        if (n < 0) row[names[c]] = null;
        else { row[names[c]] = readers[c](raw, i, n); i += n; }
      }
      out[r] = row;
    }
    return out;
  };
  const norm = (t, v) => v === null ? null : parseVector(t) ? Array.from(v) : t === 'uuid' ? Buffer.from(v.replaceAll('-', ''), 'hex') : t === 'timestamp' ? v.getTime() : v;
  const variants = [{ name: 'rows', fn: rows, view: list => list.map(row => sc.types.map((t, c) => norm(t, row[names[c]]))) }];

  // Columns: where every type is a number or a vector of them, and nothing is null.
  const kinds = sc.types.map(t => { const vec = parseVector(t); const T = ARRAYS[vec ? vec[0] : t]; return T && { T, n: vec ? Number(vec[1]) : 1 }; });
  if (!kinds.every(Boolean)) return variants;
  const columns = () => {
    let i = start(sc, raw);
    const count = raw.readInt32BE(i);
    i += 4;
    const out = kinds.map(k => new k.T(count * k.n)), bytes = out.map(a => Buffer.from(a.buffer));
    for (let r = 0; r < count; r++) {
      for (let c = 0; c < kinds.length; c++) {
        const { T, n } = kinds[c];
        const size = raw.readInt32BE(i);
        i += 4;
        if (size !== n * T.BYTES_PER_ELEMENT) throw new Error('another size');
        if (n === 1) out[c][r] = T === Int32Array ? raw.readInt32BE(i) : T === Float64Array ? raw.readDoubleBE(i) : T === BigInt64Array ? raw.readBigInt64BE(i) : raw.readFloatBE(i);
        else raw.copy(bytes[c], r * size, i, i + size);
        i += size;
      }
    }
    kinds.forEach(({ T, n }, c) => { if (n > 1) swap(bytes[c], T.BYTES_PER_ELEMENT); });
    return out;
  };
  const cell = (a, n, r) => n === 1 ? a[r] : Array.from(a.subarray(r * n, (r + 1) * n));
  variants.push({ name: 'columns', fn: columns, view: cols => Array.from({ length: sc.rows }, (_, r) => cols.map((a, c) => sc.types[c].startsWith('vector') ? Array.from(a.subarray(r * kinds[c].n, (r + 1) * kinds[c].n)) : cell(a, 1, r))) });
  return variants;
}

function value(sc, raw) {
  const [of, n] = parseVector(sc.type), T = ARRAYS[of];
  if (T) return [{ name: 'value', fn: () => readVector(T, raw, 0, n) }];
  // Each element has its length before it, as a vint: one byte below 128.
  return [{
    name: 'value',
    fn: () => {
      const list = new Array(n);
      for (let i = 0, e = 0; e < n; e++) {
        const size = raw[i++];
        if (size > 127) throw new Error('a longer length');
        list[e] = of === 'text' ? raw.utf8Slice(i, i + size) : raw.readInt16BE(i);
        i += size;
      }
      return list;
    },
  }];
}

module.exports = { peer: 'js:handwritten@node', variants: (sc, raw) => ({ encode, decode, value })[sc.kind](sc, raw) };
