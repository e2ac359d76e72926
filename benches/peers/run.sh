#!/usr/bin/env bash
# Install the peers, make the fixtures, run every adapter, write the results. Runs in a work folder of its own.
#   run.sh             everything -> results.jsonl, results.md in the current folder
#   run.sh dec_        only scenarios whose name contains "dec_" -> partial.jsonl, partial.md there
# OURS: path of the project's Node adapter, to measure it in the same run; PEERS (.): only peers' commands matching this regex
# BENCH_WORK (target/peers): the work folder; BENCH_SCENARIOS: another scenarios.json
# BENCH_CPU (1): the CPU to pin to; BENCH_PASSES (2): times through the adapters; BENCH_BUDGET (0.1): CPU seconds of
# samples per line and pass
set -euo pipefail
from=$(pwd); here=$(cd "$(dirname "$0")" && pwd)
work=${BENCH_WORK:-$here/../../target/peers}; ours=${OURS:+$(realpath "$OURS")}
scenarios=$(realpath "${BENCH_SCENARIOS:-$here/scenarios.json}")
mkdir -p "$work" && cp -r "$here/." "$work/" && chmod -R u+w "$work" && cp "$scenarios" "$work/scenarios.json" && cd "$work"
export BENCH_BUDGET=${BENCH_BUDGET:-0.1} PYTHONDONTWRITEBYTECODE=1
# Keep freed memory in the process: otherwise glibc hands big results back to the kernel after every operation, or does
# not, depending on what the peer allocated before, and page faults swamp the decoding.
export MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_MMAP_THRESHOLD_=33554432
out=results; [ $# = 0 ] || out=partial
cpu=${BENCH_CPU:-1}; [ "$cpu" -lt "$(nproc)" ] || cpu=0

venv() { # NAME REQUIREMENT...
  local dir=.venv-$1; shift
  [ -e "$dir/.done" ] && return
  python3 -m venv "$dir"
  "$dir/bin/pip" install -q --disable-pip-version-check lz4==4.4.5 python-snappy==0.7.3 "$@"
  touch "$dir/.done"
}
(cd rust && exec cargo build --release --locked --quiet) & build=$!
[ -z "${BENCH_SCENARIOS:-}" ] || rm -f fixtures.sha256 # they pin the default scenarios
python3 gen.py
venv scylla scylla-driver==3.29.12 numpy==2.4.6
venv cassandra cassandra-driver==3.30.1 numpy==1.26.4 # its NumpyProtocolHandler returns None under NumPy 2
cmp -s node/package-lock.json node/node_modules/.installed || (cd node && npm ci --silent && cp package-lock.json node_modules/.installed)
wait $build

{ grep -v '^\s*\(#\|$\)' adapters.txt | grep -E "${PEERS:-.}" || true; [ -z "$ours" ] || echo "node --expose-gc node/harness.js $ours"; } > commands
names=$(python3 -c 'import json, sys; print(*(s["name"] for s in json.load(open("data/manifest.json")) if sys.argv[1] in s["name"]))' "${1:-}")
raw=$(mktemp); trap 'rm -f "$raw"' EXIT
for pass in $(seq "${BENCH_PASSES:-2}"); do
  while read -r cmd; do
    echo "[$SECONDS s] pass $pass: $cmd" >&2
    for name in $names; do # a process each: no scenario inherits the heap and the JIT state of another
      BENCH_SCENARIO=$name taskset -c "$cpu" $cmd >> "$raw" < /dev/null
    done
  done < commands
done
python3 table.py "$raw" "$from/$out.jsonl" > "$from/$out.md"
echo "[$SECONDS s] $(wc -l < "$from/$out.jsonl") lines in $out.jsonl, tables in $out.md; failed checks: $(grep -c 'FAILED CHECK' "$from/$out.jsonl" || true)" >&2
