// Decodes a recorded page; throws if anything is wrong. Runs wherever the package is loaded: no imports but data.
export function check(cqlwire) {
  if (cqlwire.version() !== 1) throw new Error("placeholder");
}
