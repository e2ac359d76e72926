// The one instance of the codec: made on first use, made anew after a trap. Every view of its memory is made here, because memory
// that grows leaves old views empty.
import * as glue from "#glue";
import base64 from "#wasm";
import { CqlError } from "./errors.ts";

interface Views {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly ints: Int32Array;
  readonly singles: Float32Array;
  readonly floats: Float64Array;
  readonly longs: BigInt64Array;
}

let views: Views | undefined;
/** Counts instances: what belongs to an earlier one is lost. */
let generation = 0;

/** A page of the codec's memory is lent: nothing may move it. */
let isLent = false;

export function checkLent(): void {
  if (isLent) throw new CqlError("CQL_OPTION", "the codec was called by the function that borrows a page: take what is needed from the page, and call when it has returned");
}

/** Runs `use`, in which no call into the codec is possible. */
export function lend<T>(use: () => T): T {
  isLent = true;
  try {
    return use();
  } finally {
    isLent = false;
  }
}

/** The codec's classes; instantiates it when nobody has yet. */
export function instance(): typeof glue {
  checkLent();
  if (views === undefined) {
    try {
      glue.initSync({ module: decodeBase64(base64) });
    } catch (cause) {
      // The cause's own text can quote the whole module.
      const reason = cause instanceof Error ? cause.name : "error";
      throw new CqlError(
        "CQL_WASM",
        `the WebAssembly module could not be instantiated (${reason}): under a limit on address space (ulimit -v), Node.js needs ` +
          "--disable-wasm-trap-handler; under a content security policy, script-src needs 'wasm-unsafe-eval'",
      );
    }
    look();
  }
  return glue;
}

/** Names and codes that both sides use. They never change, so they cross once. */
let known: ReturnType<typeof glue.tables> | undefined;

export function tables(): ReturnType<typeof glue.tables> {
  return (known ??= instance().tables());
}

function look(): Views {
  const { buffer } = glue.wasm_memory();
  return (views = {
    bytes: new Uint8Array(buffer),
    words: new Uint32Array(buffer),
    ints: new Int32Array(buffer),
    singles: new Float32Array(buffer),
    floats: new Float64Array(buffer),
    longs: new BigInt64Array(buffer),
  });
}

/** All of the memory, in every kind of element; only until the next call into the codec. */
export function memory(): Views {
  return views === undefined || views.bytes.byteLength === 0 ? look() : views;
}

export function memoryBytes(): Uint8Array {
  return memory().bytes;
}

export function memoryWords(): Uint32Array {
  return memory().words;
}

interface NodeBuffer extends Uint8Array {
  utf8Write(text: string, at: number, length: number): number;
}
const { Buffer } = globalThis as unknown as { Buffer?: { from(buffer: ArrayBufferLike): NodeBuffer; from(text: string, encoding: string): Uint8Array<ArrayBuffer>; prototype: Partial<NodeBuffer> } };
const encoder = new TextEncoder();
let nodeMemory: NodeBuffer | undefined;

/** Writes text as UTF-8 into the memory, where there are `most` bytes for it; how many it took. Node.js has a call that needs no view. */
export const writeText: (text: string, at: number, most: number) => number =
  typeof Buffer?.prototype.utf8Write === "function"
    ? (text, at, most) => {
        const { bytes } = memory();
        if (nodeMemory?.buffer !== bytes.buffer) nodeMemory = Buffer.from(bytes.buffer);
        return nodeMemory.utf8Write(text, at, most);
      }
    : (text, at, most) => encoder.encodeInto(text, memory().bytes.subarray(at, at + most)).written;

export function currentGeneration(): number {
  return generation;
}

/** As the codec's calls throw it; what code of the caller's throws can look the same. */
export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error instanceof Error && error.message.startsWith("recursive use of an object"));
}

/**
 * A trap leaves the instance in an unknown state: it is dropped, and whoever used it is told. Any other error is passed on.
 * A call that a stack overflow ended inside the codec leaves it borrowed, which the next call reports in wasm-bindgen's words.
 */
export function checkTrap(error: unknown): void {
  if (!isTrap(error)) return;
  generation++;
  glue.__wbg_reset_state();
  look();
}

/** Runs what belongs to no connection. After a trap the caller has an error that says so, and the next call a new instance. */
export function withInstance<T>(work: (codec: typeof glue) => T): T {
  const before = generation;
  try {
    return work(instance());
  } catch (error) {
    checkTrap(error);
    if (generation === before) throw error;
    throw new CqlError("CQL_WASM", "the WebAssembly instance failed in this call; the next call has a new one", { cause: error });
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  // Uint8Array.fromBase64 is new, Buffer is Node's, atob is everywhere: fastest first, the three of them up to 100 times apart.
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native.call(Uint8Array, text);
  if (Buffer) return Buffer.from(text, "base64");
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}
