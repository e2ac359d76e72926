#!/usr/bin/env bash
# runtimes/run.sh PEERS_DIR: measure.cjs in each of the runtimes; JSON lines. They come from npm, pinned here, into target/runtimes.
set -euo pipefail
peers=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tools/lib.sh
need_node
npm_ci js-tests/load 'Deno'
platform=$(node -p '`${process.platform}-${process.arch}`')
pins="node20@npm:node-$platform@20.20.2 node22@npm:node-$platform@22.23.1 node24@npm:node-$platform@24.18.1 bun@1.4.4"
dir=target/runtimes
if [ "$pins" != "$(cat $dir/pins 2> /dev/null || true)" ]; then
  say 'installing Node.js 20, 22 and 24, and Bun …'
  rm -rf $dir && mkdir -p $dir && echo '{ "private": true }' > $dir/package.json
  # shellcheck disable=SC2086
  (cd $dir && npm install --no-audit --no-fund --no-save --loglevel=error $pins) >&2 || die 'could not install them (see above)'
  echo "$pins" > $dir/pins
fi
measure() { # COMMAND...: on one CPU where that can be said
  local pin=(); if command -v taskset > /dev/null; then pin=(taskset -c "${BENCH_CPU:-0}"); fi
  "${pin[@]}" "$@" benches/runtimes/measure.cjs "$peers"
}
for version in 20 22 24; do measure $dir/node_modules/node$version/bin/node; done
export DENO_DIR=target/deno DENO_NO_UPDATE_CHECK=1 NO_COLOR=1
measure js-tests/load/node_modules/.bin/deno run --allow-all --no-prompt --cached-only --node-modules-dir=manual
measure $dir/node_modules/.bin/bun
