#!/usr/bin/env bash
# Packs pkg/ as npm would publish it, installs the tarball in a project of its own (target/load), and loads it there in
# Node.js (both module systems), Deno without permissions, and Chromium; each decodes a recorded page (js-tests/load).
# Then the page inspect.html, opened as a file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_node
npm_ci js-tests/load 'the load tests'
chromium=$(tools/chromium.sh)
bin=$PWD/js-tests/load/node_modules/.bin tsc=$PWD/node_modules/.bin/tsc

rm -rf target/pack target/load
mkdir -p target/pack target/load
(cd pkg && npm pack --silent --pack-destination ../target/pack)
tarball=$(echo "$PWD"/target/pack/*.tgz)
tar -tzf "$tarball" | sed 's|^package/|  |' | LC_ALL=C sort

cp js-tests/load/*.{mjs,cjs,mts,cts,html} target/load
echo '{ "name": "user", "private": true }' > target/load/package.json
cd target/load
npm install --silent --offline --no-audit --no-fund --no-package-lock "$tarball"
[ -f node_modules/cqlwire/package.json ] && [ ! -L node_modules/cqlwire ] || die 'npm did not install the tarball'

try() { local name=$1; shift; "$@" || die "the package does not load: $name"; echo "ok: $name"; }
try 'Node.js, import' node node-esm.mjs
try 'Node.js, require' node node-cjs.cjs
try 'TypeScript, import and require' "$tsc" --ignoreConfig --noEmit --strict --module nodenext --target es2022 --types node types.mts types.cts
# Deno takes the package from node_modules as an import does, so reading it needs no permission.
try 'Deno, no permissions' env DENO_DIR=../deno DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 \
  "$bin/deno" run --no-prompt --no-remote --cached-only --node-modules-dir=manual deno.mjs
try 'Chromium' node ../../js-tests/load/chromium.mjs "$chromium" .
try 'inspect.html in Chromium, from a file' node ../../js-tests/load/inspect.mjs "$chromium" node_modules/cqlwire/dist/inspect.html
