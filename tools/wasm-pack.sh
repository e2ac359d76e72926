#!/usr/bin/env bash
# wasm-pack.sh --install: wasm-pack and wasm-bindgen, pinned, into target/tools (4 minutes the first time: from source).
# wasm-pack.sh: checks that `wasm-pack build --target web`, which Rust users expect to work, gives the very wasm that
# tools/build.sh gets from the bindgen of this workspace (before wasm-opt, which both leave to build.sh). Only the JS
# around it differs, by two options that wasm-pack does not pass on: no default path of the wasm, and a reset function.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_rust
wasm_pack=0.15.1 wasm_bindgen=$(sed -n 's/^wasm-bindgen = .*"=\([0-9.]*\)".*/\1/p' Cargo.toml)
bin=$PWD/target/tools/bin

# install CRATE VERSION COMMAND OPTIONS...
install() {
  local crate=$1 version=$2 command=$3; shift 3
  [ "$("$bin/$command" --version 2> /dev/null)" = "$command $version" ] && return
  say "installing $crate $version (about 2 min) …"
  # No debug information, and not the build's own target folder: faster, and neither waits for the other.
  CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=target/tools/build cargo install --quiet --force --debug --root target/tools "$@" --version "$version" "$crate"
}
install wasm-pack $wasm_pack wasm-pack --locked
# Not --locked: the lock file in the published crate asks for a version of a dependency that there is not.
install wasm-bindgen-cli "$wasm_bindgen" wasm-bindgen --no-default-features --bin wasm-bindgen
rm -rf target/tools/build
if [ "${1:-}" = --install ]; then exit; fi

rm -rf target/wasm-pack
# --out-dir counts from the crate, which is this folder.
PATH=$bin:$PATH wasm-pack --quiet build --target web --mode no-install --no-opt --no-typescript --out-dir target/wasm-pack
theirs=target/wasm-pack/cqlwire_bg.wasm ours=target/js/bindgen/cqlwire_bg.wasm
cmp $theirs $ours || die "the wasm of wasm-pack is not the one of tools/bindgen, or the package is older than the sources (tools/build.sh)"
echo "wasm-pack $wasm_pack and tools/bindgen give the same wasm: $(wc -c < $ours) bytes, SHA-256 $(sha256sum $ours | cut -c 1-16)…"
