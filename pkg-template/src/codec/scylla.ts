// ScyllaDB's extensions (scylladb/scylladb docs/dev/protocol-extensions.md): what a node says of itself in SUPPORTED, what a client says to it in
// STARTUP, and the extensions that both sides know to be agreed.
import type { ScyllaFeatures, ScyllaOptions, SupportedMessage } from "../../types/index.js";
import { checkOptions, checkSupported, inert } from "./check.ts";
import { CqlError, isWasmError } from "./errors.ts";
import { describe, reading } from "./given.ts";
import { record } from "./values.ts";
import { withInstance } from "./wasm.ts";

export function scyllaOptions(supported: Pick<SupportedMessage, "options">): ScyllaOptions {
  const { options } = optionsOf("scyllaOptions", supported);
  return withInstance((codec) => codec.scylla_options(Object.entries(options)));
}

export function scyllaStartupOptions(supported: Pick<SupportedMessage, "options">, version: 3 | 4 | 5): Record<string, string> {
  const { options } = optionsOf("scyllaStartupOptions", supported);
  if (version !== 3 && version !== 4 && version !== 5) {
    throw new CqlError("CQL_OPTION", `scyllaStartupOptions has ${describe(version)} as version: expected 3, 4 or 5`);
  }
  return record(withInstance((codec) => codec.scylla_startup_options(Object.entries(options), version)));
}

function optionsOf(what: string, supported: Pick<SupportedMessage, "options">): Pick<SupportedMessage, "options"> {
  const own = reading(what, () => ({ options: inert(Object(supported).options) })) as Pick<SupportedMessage, "options">;
  if (own.options === undefined) checkSupported(what, supported);
  else checkSupported(what, own);
  return own;
}

/** What can be agreed, by the rules that a SUPPORTED is read by; Rust has the last of them. */
const EXPECTED: Record<string, string> = {
  lwtMask: "null, or bits that mark nothing else (0x1 and 0x4 do)",
  rateLimitError: "null, or a code that has no other meaning",
};

/** Gives features to Rust, `take`, which says whether each can be agreed at all. */
export function useFeatures<T>(what: "established.features" | "offer", features: Partial<ScyllaFeatures>, take: () => T): T {
  checkOptions(what, features);
  try {
    return take();
  } catch (error) {
    const name = isWasmError(error) ? error.what : "";
    const expected = EXPECTED[name];
    if (expected === undefined) throw error;
    throw new CqlError("CQL_OPTION", `${what} has ${describe(features[name as keyof ScyllaFeatures])} as ${name}: expected ${expected}`);
  }
}
