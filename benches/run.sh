#!/usr/bin/env bash
# `make bench`: measures, then writes docs/performance.md, docs/*.svg and the README's table from it (benches/report.mjs). Some 15 minutes, more the
# first time; the machine should have nothing else to do.
#   benches/run.sh PART...   only these of: shapes peers growth runtimes report. What they measured before is in target/bench.
# BENCH_PASSES (2), BENCH_BUDGET (0.1), PEERS: as benches/peers/run.sh has them; BENCH_CPU (0): the CPU to pin to
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_node
need python3 'install Python 3 (with venv), for the peers from PyPI'
tools/build.sh
out=target/bench peers=target/peers
mkdir -p $out
export BENCH_CPU=${BENCH_CPU:-0}
pin=(); if command -v taskset > /dev/null; then pin=(taskset -c "$BENCH_CPU"); fi
malloc=(MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_MMAP_THRESHOLD_=33554432) # as benches/peers/run.sh

# Ours beside the copy floor, for each decode scenario whose columns have cells of one width.
floor() { # OUT
  local name
  node -e 'for (const s of require(process.argv[1])) if (s.kind === "decode" && !s.types.some((t) => /text|blob/.test(t))) console.log(s.name)' "$PWD/$peers/data/manifest.json" |
    while read -r name; do env "${malloc[@]}" "${pin[@]}" node --expose-gc benches/floor.mjs $peers/data "$name"; done > "$1"
}
# The fixtures of a part stay where the last run left them, so its floor comes right after it.
shapes() {
  (cd $out && OURS=../../benches/js/peers.cjs BENCH_WORK=../peers BENCH_SCENARIOS=../../benches/peers/floor-scenarios.json BENCH_PASSES=1 BENCH_BUDGET=${BENCH_BUDGET:-0.1} ../../benches/peers/run.sh)
  mv $out/results.jsonl $out/shapes.jsonl; mv $out/results.md $out/shapes.md
  floor $out/shapes-floor.jsonl
}
peers() {
  (cd $out && OURS=../../benches/js/peers.cjs BENCH_WORK=../peers BENCH_BUDGET=${BENCH_BUDGET:-0.1} ../../benches/peers/run.sh)
  mv $out/results.jsonl $out/peers.jsonl; mv $out/results.md $out/peers.md
  floor $out/peers-floor.jsonl
}
growth() { env "${malloc[@]}" "${pin[@]}" node --expose-gc benches/growth.mjs $out/growth.json || steep=1; }
runtimes() {
  # Of the main scenarios, wherever the fixtures come from.
  [ -e $peers/data/dec_1k_vec768.bin ] || die 'no fixtures: benches/run.sh peers runtimes'
  (cd $peers && cp ../../benches/peers/{scenarios.json,fixtures.sha256} . && python3 gen.py > /dev/null)
  env "${malloc[@]}" benches/runtimes/run.sh $peers > $out/runtimes.jsonl
}
report() {
  node tools/sizes.mjs report > $out/sizes.md
  node benches/report.mjs $out
}

steep=
for part in "${@:-shapes peers growth runtimes report}"; do
  for one in $part; do say "=== $one ($SECONDS s)"; "$one"; done
done
say "=== done ($SECONDS s)"
[ -z "$steep" ] || die 'a step of the growth is too steep (see above, and docs/performance.md)'
