#!/usr/bin/env bash
# Builds the npm package into pkg/ and links it as node_modules/cqlwire. Run it as often as you like: each stage does
# something only when its input has changed (cargo and content hashes decide).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_rust
need_node
mkdir -p target
# Two builds at once would write the same files.
if command -v flock >/dev/null 2>&1; then exec 9>target/build.lock; flock 9; fi

need_target wasm32-unknown-unknown
npm_ci . 'the build'

# 1. The codec, and the pinned wasm-bindgen as a crate of this workspace. Cargo knows what is up to date.
wasm=target/wasm32-unknown-unknown/release/cqlwire.wasm
if [ ! -f "$wasm" ]; then say 'building the wasm (about 30 s the first time) …'; fi
cargo build --quiet --release --lib --target wasm32-unknown-unknown
if [ ! -x target/debug/bindgen ]; then say 'building wasm-bindgen (about 35 s the first time) …'; fi
cargo build --quiet --package bindgen

# 2. JS glue and optimised wasm, when the wasm or the tools differ from last time.
js=target/js
stamp=$(cat "$wasm" target/debug/bindgen package-lock.json | sha256sum)
if [ "$stamp" != "$(cat $js/stamp 2>/dev/null || true)" ]; then
  say 'optimising the wasm …'
  rm -rf $js
  target/debug/bindgen "$wasm" $js/bindgen
  cp $js/bindgen/cqlwire.js $js/glue.js
  # No feature flags: wasm-opt takes the features from the module itself. With all of them switched on it writes
  # encodings that Node.js refuses.
  # Functions called from one place stay apart unless they are small: an engine optimises what is hot function by function, and a small
  # one is done in a tenth of the time (Node.js 20: 8 ms for an EXECUTE's instead of 30).
  node_modules/.bin/wasm-opt -O3 --one-caller-inline-max-function-size=40 $js/bindgen/cqlwire_bg.wasm -o $js/cql.wasm
  node -e '
    const bytes = require("fs").readFileSync(process.argv[1]);
    if (!WebAssembly.validate(bytes)) throw new Error("wasm-opt wrote a module that this Node.js refuses");
    process.stdout.write(`export default "${bytes.toString("base64")}";\n`)' $js/cql.wasm > $js/wasm-base64.js
  echo "$stamp" > $js/stamp
fi

# 3. The package, in a new folder that then takes the place of the old one (some 0.3 s, so always).
rm -rf target/pkg
node tools/bundle.mjs target/pkg
rm -rf pkg
mv target/pkg pkg
ln -sfn ../pkg node_modules/cqlwire
