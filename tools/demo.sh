#!/usr/bin/env bash
# The demo: builds the package, then runs tools/demo.mjs against a real Cassandra (or the one that CQL=host:port names).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_rust
need_node
tools/with-cassandra.sh --fetch # first: what is missing is better known before the build
tools/build.sh
exec tools/with-cassandra.sh node tools/demo.mjs
