// Consistency levels by name; a number stands for a level that has none.
import { CqlError } from "./errors.ts";
import { tables } from "./wasm.ts";

let codes: Map<string, number> | undefined;
const byName = (): Map<string, number> => (codes ??= new Map(tables().consistencies));

/** Most requests have the level of the one before. */
let last: { level: string | undefined; code: number } = { level: undefined, code: 0 };

export function consistencyNames(): string[] {
  return [...byName().keys()];
}

export function consistencyCode(level: string | number | undefined, option: string): number {
  if (typeof level === "number") return level;
  if (level === last.level && level !== undefined) return last.code;
  const code = byName().get(level ?? "LOCAL_ONE");
  if (code !== undefined) return (last = { level, code }).code;
  throw new CqlError("CQL_OPTION", `${option} is ${JSON.stringify(level)}: expected one of ${consistencyNames().join(", ")}`);
}
