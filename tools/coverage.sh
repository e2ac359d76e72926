#!/usr/bin/env bash
# coverage.sh: runs the crate's tests, and says which lines of src/ they run, file by file (line by line in target/coverage/lines.txt);
# fails below 96 %. What `cargo llvm-cov` does, by the tools that it calls. The boundary (src/wasm*) runs in JavaScript and is not
# counted here; `to_js.rs` is, though it runs there too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_rust
least=96

bin=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin
[ -x "$bin/llvm-cov" ] || {
  command -v rustup > /dev/null || die 'llvm-tools is missing and there is no rustup to add it'
  rustup --quiet component add llvm-tools
}

out=$PWD/target/coverage
rm -rf "$out"
mkdir -p "$out"
# Only for this workspace's own crates, so that the libraries' builds are shared with `cargo test`.
printf '#!/bin/sh\nexec "$@" -Cinstrument-coverage\n' > "$out/rustc"
chmod +x "$out/rustc"
export RUSTC_WORKSPACE_WRAPPER=$out/rustc LLVM_PROFILE_FILE=$out/%p-%m.profraw
# The library is a cdylib too, whose file has one name with and without the flag: so that neither build takes the other's for its own.
touch src/lib.rs
cargo test --no-fail-fast --lib --tests 2>&1 | tee "$out/test.log" || die 'the tests failed'
objects=$(sed -n 's/^ *Running .* (\(.*\))$/-object \1/p' "$out/test.log")
"$bin/llvm-profdata" merge -sparse "$out"/*.profraw -o "$out/all.profdata"
report() { "$bin/llvm-cov" "$@" -instr-profile="$out/all.profdata" $objects --ignore-filename-regex='(/\.cargo/|/rustc/|^tests/|/tests/|src/wasm|src/fuzzing)'; }
report report --show-region-summary=false --show-branch-summary=false | tee "$out/report.txt"
report show --show-line-counts-or-regions=false > "$out/lines.txt"
total=$(awk '/^TOTAL/ { sub("%", "", $NF); print $NF }' "$out/report.txt")
awk -v total="$total" -v least=$least 'BEGIN { exit !(total >= least) }' || die "$total % of the lines are run by tests: expected $least"
