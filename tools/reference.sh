#!/usr/bin/env bash
# `make docs`: the API reference, in target/docs: rust/ by rustdoc, js/ by TypeDoc, to which a public name without documentation is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_rust
need_node
npm_ci . 'the build' # the types of Node.js
npm_ci tools/reference 'the reference'
RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps
rm -rf target/docs
mkdir -p target/docs
cp -r target/doc target/docs/rust
tools/reference/node_modules/.bin/typedoc --logLevel Warn --options tools/reference/typedoc.json
say 'the reference: target/docs/js/index.html, target/docs/rust/cqlwire/index.html'
