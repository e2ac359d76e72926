// The inspector page's modules that need no page, over the built package's codec.
import { mkdirSync } from "node:fs";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);
const folder = new URL("target/test/inspect/", root);
mkdirSync(folder, { recursive: true });

export async function load(name) {
  const outfile = new URL(`${name}.mjs`, folder);
  await build({
    entryPoints: [new URL(`pkg-template/src/inspect/${name}.ts`, root).pathname],
    outfile: outfile.pathname,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
    plugins: [{
      name: "codec",
      setup: (b) => b.onResolve({ filter: /codec\/index\.ts$/ }, () => ({ path: new URL("pkg/dist/codec.js", root).href, external: true })),
    }],
  });
  return import(outfile.href);
}
