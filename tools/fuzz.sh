#!/usr/bin/env bash
# fuzz.sh [SECONDS] [TARGET...]: each target of fuzz/ for so many seconds (60), two at a time, and a table of what they did. What is
#   found is kept in target/fuzz/corpus, from where the next run goes on. A crash ends its target and is a failure; its input is kept
#   in target/fuzz/crashes. A hang of ten seconds and more memory than an input may need are crashes too.
# fuzz.sh --smoke: for `make test`: three seconds each, from the corpus in the repository and always with the same random numbers.
# fuzz.sh --minimise: makes fuzz/corpus anew, from what it holds and what was found: the fewest inputs that reach as many edges.
#
# It takes stable Rust and a C++ compiler, no more: libFuzzer comes with the crate libfuzzer-sys. The address sanitizer, which needs a
# nightly Rust, is left out: this crate forbids unsafe code, and each body measures its own memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_rust
need c++ 'install a C++ compiler (Debian: g++)'

mode=run seconds=60
case "${1:-}" in
  --smoke) mode=smoke seconds=3; shift ;;
  --minimise) mode=minimise; shift ;;
  [0-9]*) seconds=$1; shift ;;
esac
if [ $# = 0 ]; then set -- $(cd fuzz/fuzz_targets && printf '%s\n' *.rs | sed 's/\.rs$//'); fi

out=$PWD/target/fuzz host=$(rustc -vV | sed -n 's/^host: //p')
# The flags of cargo-fuzz. --target: so that they are for what runs, and not for build scripts.
say "building the fuzzer (a minute the first time) …"
RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
  -Cllvm-args=-sanitizer-coverage-trace-compares" \
  CARGO_TARGET_DIR=$out/build cargo build --quiet --release --locked --manifest-path fuzz/Cargo.toml --target "$host"
bin=$out/build/$host/release
limits='-timeout=10 -rss_limit_mb=2048'
mkdir -p "$out/logs" "$out/crashes"

if [ $mode = minimise ]; then
  for target; do
    rm -rf "$out/minimal"
    mkdir -p "$out/minimal" "$out/corpus/$target" "fuzz/corpus/$target"
    "$bin/$target" $limits -set_cover_merge=1 -use_counters=0 -artifact_prefix="$out/crashes/$target-" \
      "$out/minimal" "fuzz/corpus/$target" "$out/corpus/$target" > "$out/logs/$target.log" 2>&1
    # It goes on behind a crash, and says nothing of it.
    ! grep -qa 'ERROR: libFuzzer' "$out/logs/$target.log" || die "$target crashes: see $out/crashes and $out/logs/$target.log"
    find "fuzz/corpus/$target" -type f ! -name 'crash-*' -delete # what once failed stays, under its name
    cp "$out"/minimal/* "fuzz/corpus/$target/"
    echo "$target: $(ls "fuzz/corpus/$target" | wc -l) inputs, $(cat "fuzz/corpus/$target"/* | wc -c) bytes"
  done
  exit
fi

corpus=$out/corpus seed=0 # 0: by the clock
if [ $mode = smoke ]; then
  corpus=$out/smoke seed=1
  rm -rf "$corpus"
fi
fuzz() {
  mkdir -p "$corpus/$1"
  "$bin/$1" $limits -seed=$seed -max_total_time="$seconds" -print_final_stats=1 -use_value_profile=1 -len_control=0 \
    -artifact_prefix="$out/crashes/$1-" "$corpus/$1" "fuzz/corpus/$1" > "$out/logs/$1.log" 2>&1
}
export -f fuzz
export out bin limits corpus seed seconds
status=0
printf '%s\n' "$@" | xargs -P 2 -I{} bash -c 'fuzz {}' || status=1

printf '%-12s %12s %9s %7s %9s %7s\n' target executions 'a second' edges features inputs
for target; do
  awk -v target="$target" '
    /^#[0-9]/ { for (i = 2; i < NF; i++) { if ($i == "cov:") edges = $(i + 1); if ($i == "ft:") features = $(i + 1); if ($i == "corp:") inputs = $(i + 1) + 0 } }
    /^stat::number_of_executed_units/ { runs = $2 }
    /^stat::average_exec_per_sec/ { speed = $2 }
    /ERROR: libFuzzer/ { crash = "  CRASH" }
    END { printf "%-12s %12d %9d %7d %9d %7d%s\n", target, runs, speed, edges, features, inputs, crash }' "$out/logs/$target.log"
done
[ $status = 0 ] && exit
for target; do
  grep -q 'ERROR: libFuzzer' "$out/logs/$target.log" || continue
  printf '\n=== %s; again with: %s INPUT\n' "$target" "$bin/$target"
  grep -aE -A 2 'panicked at|ERROR: libFuzzer|Test unit written' "$out/logs/$target.log" | cut -c 1-600
done
exit 1
