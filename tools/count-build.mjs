// count-build.mjs OUT_DIR: a copy of pkg/ whose wasm counts what it executes: its exported globals `counted` (instructions; a bulk copy or fill
// as BULK and one for every 8 bytes) and `crossings` (calls from JavaScript in, and out to it). The counts are of the very code that is published: this
// adds to the front of each basic block the number of its instructions, and changes nothing else.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const unsigned = (number) => {
  const out = [];
  do out.push((number & 127) | (number > 127 ? 128 : 0));
  while ((number >>>= 7));
  return out;
};
/** Small and positive: the sign's bit stays clear. */
const signed = (number) => {
  const out = [];
  for (; number > 63; number >>>= 7) out.push((number & 127) | 128);
  return [...out, number];
};

/** Over the bytes of a module. */
export class Reader {
  constructor(bytes, at = 0) {
    Object.assign(this, { bytes, at });
  }
  byte() {
    return this.bytes[this.at++];
  }
  u32() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }
  skip(...what) {
    for (const one of what) {
      if (one === "leb") while (this.byte() >= 128);
      else this.at += one;
    }
  }
  /** As many bytes as the length before them says, with a reader of its own. */
  part() {
    const length = this.u32();
    this.at += length;
    return new Reader(this.bytes.subarray(this.at - length, this.at));
  }
  name() {
    return Buffer.from(this.part().bytes).toString();
  }
  list(read) {
    return Array.from({ length: this.u32() }, () => read(this));
  }
}

const [BLOCK, LOOP, IF, ELSE, END, BR, BR_IF, BR_TABLE, RETURN, CALL] = [2, 3, 4, 5, 0xb, 0xc, 0xd, 0xe, 0xf, 0x10];
const MEMORY_COPY = 0xfc0a;
const MEMORY_FILL = 0xfc0b;
/** What ends a basic block. A call does not: it comes back. */
const ENDS = new Set([BLOCK, LOOP, IF, ELSE, END, BR, BR_IF, BR_TABLE, RETURN, 0]);
/** A bulk copy or fill is a call out of the compiled code: in V8 15 ns before its first byte, where an instruction has 0.26. */
const BULK = 48;
/** What costs nothing where it runs. */
const FREE = new Set([BLOCK, LOOP, ELSE, END, 1]);

/** Skips one instruction; what it is (two bytes of a number behind a prefix), and for a call of whom. */
function instruction(code) {
  const op = code.byte();
  const leb = (count) => Array(count).fill("leb");
  if (op === CALL) return { op, callee: code.u32() };
  if (op === BR_TABLE) code.skip(...leb(code.u32() + 1));
  else if (op === 0x1c) code.skip(code.u32());
  else if (op >= 0x28 && op <= 0x3e) code.skip(...leb(2));
  else if (op === 0x11 || op === 0x13) code.skip(...leb(2));
  else if ([BLOCK, LOOP, IF, BR, BR_IF, 0x12, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2].includes(op) || (op >= 0x20 && op <= 0x26)) code.skip("leb");
  else if (op === 0x43) code.skip(4);
  else if (op === 0x44) code.skip(8);
  else if (op === 0xfc) {
    const sub = code.u32();
    code.skip(...leb([0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1][sub]));
    return { op: 0xfc00 + sub };
  } else if (op === 0xfd) {
    const sub = code.u32();
    if (sub <= 11 || sub === 92 || sub === 93) code.skip(...leb(2));
    else if (sub === 12 || sub === 13) code.skip(16);
    else if (sub >= 21 && sub <= 34) code.skip(1);
    else if (sub >= 84 && sub <= 91) code.skip(...leb(2), 1);
  } else if (op > 0xd2 || (op > 5 && op < 0xb)) throw new Error(`an instruction that count-build.mjs does not know: 0x${op.toString(16)}`);
  return { op };
}

export function counting(wasm) {
  const module = new Reader(wasm, 8);
  const sections = [];
  while (module.at < wasm.length) {
    const id = module.byte();
    sections.push({ id, body: module.part() });
  }
  const section = (id) => sections.find((one) => one.id === id).body;

  const params = section(1).list((type) => {
    type.skip(1);
    const count = type.u32();
    type.skip(count);
    type.skip(type.u32());
    return count;
  });
  const imported = { functions: 0, globals: 0 };
  section(2).list((entry) => {
    entry.part();
    entry.part();
    const kind = entry.byte();
    if (kind === 0) imported.functions++;
    if (kind === 3) imported.globals++;
    if (kind === 0) entry.skip("leb");
    else if (kind === 3) entry.skip(2);
    else {
      if (kind === 1) entry.skip(1);
      entry.skip(...(entry.byte() & 1 ? ["leb", "leb"] : ["leb"]));
    }
  });
  const types = section(3).list((entry) => entry.u32());
  const exported = new Set();
  section(7).list((entry) => {
    entry.part();
    const kind = entry.byte();
    const index = entry.u32();
    if (kind === 0) exported.add(index);
  });

  const globals = section(6);
  const before = globals.u32();
  const counted = imported.globals + before;
  const add = (global, amount) => [0x23, ...unsigned(global), ...amount, 0x7c, 0x24, ...unsigned(global)];
  const increment = (global, number) => add(global, [0x42, ...signed(number)]);
  const zero = [0x7e, 1, 0x42, 0, END];

  /** One function's locals and code, with counting. */
  function body(code, index) {
    const groups = code.list((group) => [group.u32(), group.byte()]);
    const scratch = params[types[index]] + groups.reduce((sum, [count]) => sum + count, 0);
    groups.push([1, 0x7f]);
    const out = [...unsigned(groups.length), ...groups.flatMap(([count, type]) => [...unsigned(count), type])];
    if (exported.has(imported.functions + index)) out.push(...increment(counted + 1, 1));
    let block = [];
    let count = 0;
    while (code.at < code.bytes.length) {
      const from = code.at;
      const { op, callee } = instruction(code);
      if (callee < imported.functions) block.push(...increment(counted + 1, 1));
      if (op === MEMORY_COPY || op === MEMORY_FILL) {
        block.push(0x22, ...unsigned(scratch), ...add(counted, [0x20, ...unsigned(scratch), 0x41, 3, 0x76, 0xad]));
        count += BULK - 1;
      }
      for (let at = from; at < code.at; at++) block.push(code.bytes[at]);
      if (!FREE.has(op)) count++;
      if (!ENDS.has(op)) continue;
      if (count > 0) out.push(...increment(counted, count));
      for (const byte of block) out.push(byte);
      block = [];
      count = 0;
    }
    return [...unsigned(out.length), ...out];
  }

  const name = (text) => [...unsigned(text.length), ...Buffer.from(text)];
  const exports = section(7);
  exports.at = 0;
  const exportCount = exports.u32();
  const rewritten = {
    6: () => [...unsigned(before + 2), ...globals.bytes.subarray(globals.at), ...zero, ...zero],
    7: () => [...unsigned(exportCount + 2), ...exports.bytes.subarray(exports.at), ...name("counted"), 3, ...unsigned(counted), ...name("crossings"), 3, ...unsigned(counted + 1)],
    10: () => {
      const parts = section(10).list((entry) => entry.part());
      return [unsigned(parts.length), ...parts.map(body)].flat();
    },
  };
  const out = [wasm.subarray(0, 8)];
  for (const { id, body: { bytes } } of sections) {
    const content = rewritten[id] ? Buffer.from(rewritten[id]()) : bytes;
    out.push(Buffer.from([id, ...unsigned(content.length)]), content);
  }
  return Buffer.concat(out);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [out] = process.argv.slice(2);
  const wasm = counting(readFileSync("pkg/dist/cql.wasm"));
  if (!WebAssembly.validate(wasm)) throw new Error("the counting module is not valid: count-build.mjs does not know an instruction in it");
  rmSync(out, { recursive: true, force: true });
  cpSync("pkg", out, { recursive: true });
  writeFileSync(join(out, "dist/wasm.js"), `export default "${wasm.toString("base64")}";\n`);
}
