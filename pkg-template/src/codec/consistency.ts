// Consistency levels by name; a number stands for a level that has none.
import { CqlError } from "./errors.ts";
import { tables } from "./wasm.ts";

let codes: Map<string, number> | undefined;
const byName = (): Map<string, number> => (codes ??= new Map(tables().consistencies));

export function consistencyNames(): string[] {
  return [...byName().keys()];
}

export function consistencyCode(level: string | number | undefined, option: string): number {
  if (typeof level === "number") return level;
  const code = byName().get(level ?? "LOCAL_ONE");
  if (code !== undefined) return code;
  throw new CqlError("CQL_OPTION", `${option} is ${JSON.stringify(level)}: expected one of ${consistencyNames().join(", ")}`);
}
