#!/usr/bin/env bash
# `make test`: every check there is, as in CI. The first step that fails ends it; the summary at the end has the times.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
. tools/steps.sh
rm -rf target/test
mkdir -p target/test

summary() {
  local status=$? name seconds result
  trap '' INT TERM HUP
  if [ -n "${tools:-}" ]; then kill -KILL -- "-$tools" 2> /dev/null || true; fi
  printf '\n=== summary\n'
  # What the test runners said last.
  grep -h '^test result' target/test/cargo.log 2> /dev/null || true
  while IFS=$'\t' read -r name seconds result; do printf '%-44s %5d s  %s\n' "$name" "$seconds" "$result"; done < $times
  case $status in
    0) result='all passed' ;;
    1) result="FAILED: $(sed -n 's/\t.*FAILED$//p' $times)" ;;
    *) result=interrupted ;;
  esac
  printf '%-44s %5d s  %s\n' total $SECONDS "$result"
  grep -hE '^# (tests|pass|fail|cancelled|skipped|todo) ' target/test/*.tap 2> /dev/null || true
  exit $status
}
touch $times
trap summary EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

prerequisites() {
  need_rust
  cargo fmt --version > /dev/null 2>&1 && cargo clippy --version > /dev/null 2>&1 || {
    command -v rustup > /dev/null || die 'cargo fmt or cargo clippy is missing and there is no rustup to add them'
    rustup --quiet component add rustfmt clippy
  }
  need_target wasm32-unknown-unknown
  need_target thumbv7em-none-eabi
  need_node
  npm_ci . 'the build'
  npm_ci js-tests/load 'the load tests'
  npm_ci tools/reference 'the reference'
  tools/with-cassandra.sh --fetch
  tools/chromium.sh > /dev/null
  tools/arrow.sh > /dev/null
}
clippy() {
  cargo clippy --quiet --workspace --all-targets --features cqlwire/fuzzing -- -D warnings
  cargo clippy --quiet --lib --target wasm32-unknown-unknown -- -D warnings
  # As users without `std` have it: on a host too, where the cdylib part of the crate has to build all the same.
  cargo clippy --quiet --lib --no-default-features -- -D warnings
}
cargo_test() {
  tools/coverage.sh 2>&1 | tee target/test/cargo.log
  cargo test --quiet --doc
}
# A target that has no `std` at all. As rlib only: a dynamic library is nothing there.
no_std() { cargo rustc --quiet --lib --crate-type rlib --no-default-features --target thumbv7em-none-eabi; }
# What the fuzzer found before, then a little of the fuzzer itself.
fuzz() {
  cargo fmt --manifest-path fuzz/Cargo.toml --check
  cargo test --quiet --features fuzzing --test fuzz_corpus
  tools/fuzz.sh --smoke
}
# client.d.ts needs a server, and has its step below.
examples_of_codec() { for file in $(grep -lE '@example|```js' pkg-template/types/*.d.ts | grep -v client); do node tools/examples.mjs "$file" || return; done; }
arrow() { ARROW_PYTHON=$(tools/arrow.sh) node_tests arrow js-tests/arrow/*.test.mjs; }
# In the background from the start: these are minutes of compiling that nothing waits for until the last steps.
wait_for_tools() { tail -n +1 -f --pid="$tools" target/test/tools.log; [ -f target/test/tools.ok ]; }

step 'prerequisites' prerequisites
set -m
(nice tools/wasm-pack.sh --install && touch target/test/tools.ok) > target/test/tools.log 2>&1 < /dev/null &
tools=$!
set +m
disown
step 'cargo fmt' cargo fmt --all --check
step 'cargo clippy' clippy
step 'reference' tools/reference.sh
step 'cargo test, coverage' cargo_test
step 'fuzz' fuzz
step 'no_std build' no_std
step 'package' tools/build.sh
step 'sizes' node tools/sizes.mjs
step 'instructions of the hot loops' node benches/instructions.mjs
step 'types' node_modules/.bin/tsc
step 'examples of the codec' examples_of_codec
step 'JS tests' node_tests js js-tests/*.test.mjs
step 'Arrow: pyarrow, DuckDB' arrow
step 'load: Node.js, Deno, Chromium' tools/load.sh
step 'wasm-pack and wasm-bindgen (in background)' wait_for_tools
step 'wasm-pack build' tools/wasm-pack.sh

# One server for the rest.
LIVE_START=$(date +%s) tools/with-cassandra.sh tools/live.sh || {
  grep -q FAILED $times || record 'Cassandra' 0 FAILED
  exit 1
}
