// What `require` resolves to differs: Node.js 20.19 and newer take the ES module, older ones (and bundlers) the .cjs file.
const { dirname, join } = require("node:path");
const dist = join(dirname(require.resolve("cqlwire/package.json")), "dist");
import("./check.mjs").then(({ check }) => {
  for (const name of ["cqlwire", join(dist, "index.cjs")]) check(require(name));
  for (const name of ["cqlwire/client", join(dist, "client.cjs")]) {
    if (Object.keys(require(name)).length === 0) throw new Error(`${name} exports nothing`);
  }
});
