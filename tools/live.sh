#!/usr/bin/env bash
# The part of `make test` that needs a server: run by test.sh under with-cassandra.sh, for all of it at once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/steps.sh
record 'Cassandra' "$(($(date +%s) - LIVE_START))" ok
step 'live tests' node_tests live js-tests/live/*.test.mjs
step 'README' node tools/examples.mjs README.md
step 'examples of the client' node tools/examples.mjs pkg-template/types/client.d.ts
step 'demo' node tools/demo.mjs
