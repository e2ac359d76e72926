// Numbers that go into a vector as a block, with one copy and one swap: typed arrays of just its kind, and plain arrays as those.
import type { CqlType } from "../../types/index.js";
import type { memory } from "./wasm.ts";

/** The step (steps.ts) of the first of `NumberKind` in `src/value/bind.rs`; the others follow. */
export const NUMBERS = 16;

/** Typed arrays that go into a vector of just their kind as a block: their step, and the element type. */
const BLOCKS: Readonly<Record<string, readonly [step: number, element: string]>> = {
  Float32Array: [NUMBERS, "float"],
  Float64Array: [NUMBERS + 1, "double"],
  Int32Array: [NUMBERS + 2, "int"],
  BigInt64Array: [NUMBERS + 3, "bigint"],
};

/** Bytes of an element, by the array's number in `NumberKind`. */
export const NUMBER_BYTES = [4, 8, 4, 8];

/** The step of such an array for a value of `type`, 0 where it is none. */
export function blockStep(kind: string, type: CqlType): number {
  const block = type.kind === "vector" ? BLOCKS[kind] : undefined;
  return block && type.of[0]!.kind === block[1] ? block[0] : 0;
}

/**
 * The numbers of a plain array as a typed array for which `blockStep` has a step; none where one of them is not the vector's: then each is noted on its
 * own, and refused with its place.
 */
export function blockOf(type: CqlType, items: readonly unknown[]): Numbers | undefined {
  if (type.kind !== "vector" || items.length !== type.dimension) return undefined;
  switch (type.of[0]!.kind) {
    case "float":
      return filled(new Float32Array(items.length), items, (item, written) => Number.isFinite(written) || !Number.isFinite(item));
    case "double":
      return filled(new Float64Array(items.length), items, () => true);
    case "int":
      return filled(new Int32Array(items.length), items, (item, written) => item === written);
  }
  return undefined;
}

function filled<T extends Float32Array | Float64Array | Int32Array>(block: T, items: readonly unknown[], isSame: (item: number, written: number) => boolean): T | undefined {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item !== "number") return undefined;
    block[i] = item;
    if (!isSame(item, block[i]!)) return undefined;
  }
  return block;
}

/** Each kind of array with its own method, or all would make one place slow for the others. */
export function copyNumbers(step: number, from: Numbers, { singles, floats, ints, longs }: ReturnType<typeof memory>, at: number): void {
  if (step === NUMBERS) singles.set(from as Float32Array, at >>> 2);
  else if (step === NUMBERS + 1) floats.set(from as Float64Array, at >>> 3);
  else if (step === NUMBERS + 2) ints.set(from as Int32Array, at >>> 2);
  else longs.set(from as BigInt64Array, at >>> 3);
}
export type Numbers = Float32Array | Float64Array | Int32Array | BigInt64Array;
