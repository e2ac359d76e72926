// How values come out and go in, as the caller chose: checked once, every default filled in.
import type { ValueOptions } from "../../types/index.js";
import { CqlError } from "./errors.ts";
import { describe, reading, tag } from "./given.ts";

/** What each option may be, its default first. What they mean is said in types/codec.d.ts. */
const CHOICES = {
  int64: ["bigint", "number", "string"],
  timestamps: ["date", "number", "bigint"],
  sets: ["array", "set"],
  maps: ["map", "object"],
  empties: ["null", "marker"],
  strings: ["sliced", "own"],
  undefinedAs: [undefined, "unset", "null"],
} as const;

/** One object for the same choices, so that what is kept for them is kept once. */
export type ValueSettings = { readonly [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

export const DEFAULT_VALUES = Object.freeze(Object.fromEntries(Object.entries(CHOICES).map(([name, [first]]) => [name, first]))) as ValueSettings;

/** Nothing is lost: what comes out goes in again as the same bytes. */
export const EXACT_VALUES: ValueSettings = Object.freeze({ ...DEFAULT_VALUES, empties: "marker" });

/** `what` names the options in errors. */
export function readValueOptions(what: string, options: ValueOptions | undefined, defaults = DEFAULT_VALUES): ValueSettings {
  if (options === undefined) return defaults;
  if (options === null || reading(what, () => tag(options)) !== "Object") throw new CqlError("CQL_OPTION", `${what} is ${describe(options)}: expected an object`);
  const given = reading(what, () => Object.entries(options)).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(CHOICES, name)) {
      throw new CqlError("CQL_OPTION", `${what} has no option ${JSON.stringify(name)}: there are ${Object.keys(CHOICES).join(", ")}`);
    }
    const choices: readonly unknown[] = CHOICES[name as keyof typeof CHOICES];
    if (!choices.includes(value)) {
      const expected = choices.filter((choice) => choice !== undefined).map((choice) => JSON.stringify(choice));
      throw new CqlError("CQL_OPTION", `${what}.${name} is ${describe(value, true)}: expected ${expected.join(" or ")}`);
    }
  }
  const settings = Object.freeze({ ...defaults, ...Object.fromEntries(given) });
  const key = Object.keys(CHOICES).map((name) => settings[name as keyof ValueSettings]).join();
  const known = settingsByChoices.get(key) ?? settings;
  settingsByChoices.set(key, known);
  return known;
}

/** As many as there are combinations. */
const settingsByChoices = new Map<string, ValueSettings>();
