// bundle.mjs OUT_DIR: puts the npm package together from pkg-template/, target/js/ (tools/build.sh), the README and the licences.
//
// Three bundles: `index` (the public codec), `client`, and `codec`, which the other two import at run time. A process must
// have one instance of the wasm per module system, so nothing may be in two bundles; the checks below see to it.
// The base64 of the wasm is a file of its own, which never throws: a stack trace that quotes its source line must not
// print it.
//
// And one page, inspect.html, which has the codec and the wasm inside: it is one file that opens from a disk, and loads nothing.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const out = process.argv[2];
const dist = join(out, "dist");
const sources = resolve("pkg-template/src");
const entries = {
  codec: join(sources, "codec/index.ts"),
  index: join(sources, "index.ts"),
  client: join(sources, "client.ts"),
};
/** Cargo.toml's, for the manifest and for STARTUP's DRIVER_VERSION. */
const version = /^version = "(.+)"$/m.exec(readFileSync("Cargo.toml", "utf8"))[1];
const fail = (message) => {
  console.error(`error: ${message}`);
  process.exit(1);
};

/** Imports of another bundle's entry, and of the base64, stay imports; `#glue` is wasm-bindgen's output. */
const links = (name, extension) => ({
  name: "links",
  setup(b) {
    b.onResolve({ filter: /^#glue$/ }, () => ({ path: resolve("target/js/glue.js") }));
    b.onResolve({ filter: /^#wasm$/ }, () => ({ path: `./wasm.${extension}`, external: true }));
    b.onResolve({ filter: /^\.{1,2}\// }, async (args) => {
      if (args.pluginData === "links" || args.kind === "entry-point") return;
      const { path, errors } = await b.resolve(args.path, {
        importer: args.importer, resolveDir: args.resolveDir, kind: args.kind, pluginData: "links",
      });
      if (errors.length) return { errors };
      const other = Object.keys(entries).find((entry) => entries[entry] === path);
      if (other && other !== name) return { path: `./${other}.${extension}`, external: true };
    });
  },
});

async function bundle(name, extension) {
  const { metafile } = await build({
    entryPoints: [entries[name]],
    outfile: join(dist, `${name}.${extension}`),
    bundle: true,
    format: extension === "js" ? "esm" : "cjs",
    // "neutral" knows no Node.js built-ins: an import of one outside the client is an error.
    platform: name === "client" ? "node" : "neutral",
    target: "es2022",
    define: { CQLWIRE_VERSION: JSON.stringify(version) },
    plugins: [links(name, extension)],
    metafile: true,
    logLevel: "warning",
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.filter((i) => i.external).map((i) => i.path));
  if (name !== "client") {
    // What "neutral" lets through: a dynamic import inside `try` is only a warning.
    const bad = imports.filter((path) => !/^\.\/(codec|wasm)\.c?js$/.test(path));
    if (bad.length) fail(`dist/${name}.${extension} imports ${bad.join(", ")}: the codec must load where there is no Node.js`);
  }
  return Object.keys(metafile.inputs);
}

const seen = new Map();
for (const extension of ["js", "cjs"]) {
  for (const name of Object.keys(entries)) {
    for (const input of await bundle(name, extension)) {
      const before = seen.get(input) ?? name;
      if (before !== name) fail(`${input} is in both ${before} and ${name}: import it through codec/index.ts in one of them`);
      seen.set(input, name);
    }
  }
}

const base64 = readFileSync("target/js/wasm-base64.js", "utf8");
writeFileSync(join(dist, "wasm.js"), base64);
writeFileSync(join(dist, "wasm.cjs"), base64.replace("export default", "module.exports ="));
copyFileSync("target/js/cql.wasm", join(dist, "cql.wasm"));

/** The page: its script and style are allowed by their hashes, and nothing else is, no network either. */
async function page() {
  const folder = join(sources, "inspect");
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, "main.ts")],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    plugins: [{
      name: "inlined",
      setup(b) {
        b.onResolve({ filter: /^#glue$/ }, () => ({ path: resolve("target/js/glue.js") }));
        b.onResolve({ filter: /^#wasm$/ }, () => ({ path: resolve("target/js/wasm-base64.js") }));
      },
    }],
    metafile: true,
    logLevel: "warning",
  });
  // It is not part of the `seen` check: a page is a program of its own, and has one instance of the wasm, its own.
  const inputs = Object.keys(metafile.inputs);
  const bad = inputs.filter((input) => input.startsWith("pkg-template/src/") && !/^pkg-template\/src\/(inspect|codec)\//.test(input));
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  if (bad.length || imports.length) fail(`inspect.html has ${[...bad, ...imports.map((i) => i.path)].join(", ")}: the codec and its own files are all it may have`);
  const parts = { SCRIPT: outputFiles[0].text.trim(), STYLE: readFileSync(join(folder, "page.css"), "utf8") };
  if (/<\/script|<!--/i.test(parts.SCRIPT)) fail("inspect.html: its script has what ends a script in HTML");
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  parts.CSP = `default-src 'none'; script-src ${hash(parts.SCRIPT)} 'wasm-unsafe-eval'; style-src ${hash(parts.STYLE)}; base-uri 'none'; form-action 'none'`;
  writeFileSync(
    join(dist, "inspect.html"),
    readFileSync(join(folder, "page.html"), "utf8").replace(/"CSP"|>(SCRIPT|STYLE)</g, (place, name) => (name ? `>${parts[name]}<` : `"${parts.CSP}"`)),
  );
}
await page();

// Types are written by hand (wasm-bindgen's name raw exports). `require` needs the same ones under a .cts name.
const types = "pkg-template/types";
for (const file of readdirSync(types)) {
  const text = readFileSync(join(types, file), "utf8");
  writeFileSync(join(dist, file), text);
  writeFileSync(join(dist, file.replace(/\.d\.ts$/, ".d.cts")), text.replace(/(["']\.\/[^"']+)\.js(["'])/g, "$1.cjs$2"));
}

const manifest = JSON.parse(readFileSync("pkg-template/package.json", "utf8"));
writeFileSync(join(out, "package.json"), JSON.stringify({ ...manifest, version }, null, 2) + "\n");
for (const file of ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(file, join(out, file));

const size = (file) => {
  const bytes = readFileSync(join(dist, file));
  return `${file} ${(bytes.length / 1024).toFixed(0)} KiB (${(gzipSync(bytes).length / 1024).toFixed(0)} gzipped)`;
};
console.error(`pkg/: ${manifest.name} ${version}; ${["cql.wasm", "wasm.js", "codec.js", "index.js", "client.js", "inspect.html"].map(size).join(", ")}`);
