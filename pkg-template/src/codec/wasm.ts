// The one instance of the codec: made on first use, made anew after a trap. Every view of its memory is made here, because memory
// that grows leaves old views empty.
import * as glue from "#glue";
import base64 from "#wasm";
import { CqlError } from "./errors.ts";

let bytes: Uint8Array | undefined;
let words: Uint32Array;
let memory: WebAssembly.Memory;
/** Counts instances: what belongs to an earlier one is lost. */
let generation = 0;

/** The codec's classes; instantiates it when nobody has yet. */
export function instance(): typeof glue {
  if (bytes === undefined) {
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

function look(): void {
  memory = glue.wasm_memory();
  bytes = new Uint8Array(memory.buffer);
  words = new Uint32Array(memory.buffer);
}

/** All of the memory; only until the next call into the codec. */
export function memoryBytes(): Uint8Array {
  if (bytes === undefined || bytes.byteLength === 0) look();
  return bytes!;
}

/** The same as words. */
export function memoryWords(): Uint32Array {
  if (bytes === undefined || bytes.byteLength === 0) look();
  return words;
}

export function currentGeneration(): number {
  return generation;
}

/**
 * A trap leaves the instance in an unknown state: it is dropped, and whoever used it is told. Any other error is passed on.
 * A call that a stack overflow ended inside the codec leaves it borrowed, which the next call reports in wasm-bindgen's words.
 */
export function checkTrap(error: unknown): void {
  const isBorrowed = error instanceof Error && error.message.startsWith("recursive use of an object");
  if (!(error instanceof WebAssembly.RuntimeError) && !isBorrowed) return;
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
  const buffer = (globalThis as unknown as { Buffer?: { from(text: string, encoding: string): Uint8Array<ArrayBuffer> } }).Buffer;
  if (buffer) return buffer.from(text, "base64");
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}
