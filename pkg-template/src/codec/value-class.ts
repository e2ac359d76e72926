// What the classes for CQL values share that JavaScript has no type for: small, immutable, with exact text forms both ways.
//
// Their texts are read by functions outside the classes: a class that names itself in its body is renamed by the bundler, and would
// print under that name.
import { CqlError } from "./errors.ts";
import { describe } from "./given.ts";

/** How console.log shows a value, in Node.js, Deno and Bun. */
export const INSPECT = Symbol.for("nodejs.util.inspect.custom");

export type Kind = "Decimal" | "LocalDate" | "LocalTime" | "Duration";
/** On each class's prototype: which it is. Other copies of this package have the same symbol, so that all know each other's values. */
const KIND = Symbol.for("cqlwire.value");

export function kindOf(value: unknown): Kind | undefined {
  return typeof value === "object" && value !== null ? (value as { [KIND]?: Kind })[KIND] : undefined;
}

/** Makes `instanceof` true for values of other copies too. Classes derived from it are told apart as ever. */
export function brand(type: { prototype: object }, kind: Kind): void {
  Object.defineProperty(type.prototype, KIND, { value: kind });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      return this === type ? kindOf(value) === kind : Function.prototype[Symbol.hasInstance].call(this as never, value);
    },
  });
}

export type Order = -1 | 0 | 1;

export function order<T extends number | bigint | string>(a: T, b: T): Order {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function expectKind(kind: Kind, other: unknown): void {
  if (kindOf(other) !== kind) throw new CqlError("CQL_VALUE", `${describe(other)} is no ${kind}, and only those compare with one`);
}

/** For `valueOf` of what operators would take for its text, and so compare and add wrong in silence. */
export function noOperators(kind: Kind, instead: string): never {
  throw new CqlError("CQL_VALUE", `a ${kind} has no operators (<, +): use ${instead}, or String() for its text`);
}

export function bad(type: string, text: unknown, expected: string): CqlError {
  if (typeof text !== "string") return new CqlError("CQL_VALUE", `${describe(text)} is not the text of a ${type}: expected ${expected}`);
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new CqlError("CQL_VALUE", `${JSON.stringify(shown)} is not a ${type}: expected ${expected}`);
}

export const isInt32 = (value: unknown): value is number => typeof value === "number" && (value | 0) === value;

export const pad = (value: number | bigint, length: number): string => String(value).padStart(length, "0");

/** In nanoseconds. */
export const SECOND = 1_000_000_000n;
