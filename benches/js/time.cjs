'use strict';
// How benches/peers times, for what is not measured against peers: the least process CPU time of samples of 5 ms or one call.

const process = require('node:process');

const clock = () => { const { user, system } = process.cpuUsage(); return (user + system) * 1000; };

function sample(fn, times) {
  const start = clock();
  for (let i = 0; i < times; i++) fn();
  return (clock() - start) / times;
}

/**
 * Nanoseconds a call of each, the least of their samples, taken in turns: what disturbs one disturbs the others. `budget`: nanoseconds of samples
 * for each of them.
 */
function times(fns, budget = 1e8) {
  const names = Object.keys(fns);
  globalThis.gc?.();
  const calls = {};
  for (const name of names) {
    for (const end = clock() + budget; clock() < end;) fns[name]();
    let n = 1;
    while (n * sample(fns[name], n) < 5e6) n *= 2;
    calls[name] = n;
  }
  const least = Object.fromEntries(names.map((name) => [name, Infinity]));
  const end = clock() + budget * names.length;
  for (let round = 0; round < 5 || clock() < end; round++) {
    for (const name of names) least[name] = Math.min(least[name], sample(fns[name], calls[name]));
  }
  return least;
}

/**
 * The floor of a decoder in WebAssembly: the body copied into its memory, and as many bytes as the result has copied out of it into memory of
 * their own, by the cheapest means that Node.js has. `pieces`: the body as it arrives.
 */
function copyFloor(pieces, bytesOut) {
  const bytesIn = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((bytesIn + bytesOut) / 65536) + 1 });
  const bytes = new Uint8Array(memory.buffer);
  return () => {
    let at = 0;
    for (const piece of pieces) { bytes.set(piece, at); at += piece.length; }
    const out = Buffer.allocUnsafeSlow(bytesOut);
    out.set(bytes.subarray(bytesIn, bytesIn + bytesOut));
    return out;
  };
}

/** Bytes of a page's columns. */
function sizeOf(columns) {
  const of = ({ values, validity, offsets, children }) =>
    [values, validity, offsets].reduce((sum, array) => sum + (array?.byteLength ?? 0), 0) + (children ?? []).reduce((sum, child) => sum + of(child), 0);
  return columns.reduce((sum, column) => sum + of(column), 0);
}

module.exports = { times, copyFloor, sizeOf };
