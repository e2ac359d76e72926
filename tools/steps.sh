# Steps of `make test` (sourced by test.sh and live.sh): what each took is kept in target/test/times for the summary.
# shellcheck shell=bash
times=target/test/times

record() { printf '%s\t%s\t%s\n' "$1" "$2" "$3" >> $times; } # NAME SECONDS ok|FAILED

# step NAME COMMAND...: the first that fails ends the script.
step() {
  local name=$1 start=$SECONDS status
  shift
  printf '\n=== %s\n' "$name"
  # Not in an `if`: there `set -e` would not hold inside functions.
  set +e
  (set -euo pipefail; "$@")
  status=$?
  set -e
  if [ $status = 0 ]; then record "$name" $((SECONDS - start)) ok; return; fi
  record "$name" $((SECONDS - start)) FAILED
  exit 1
}

# node_tests NAME FILE...: readable output, and its closing lines once more for the summary.
node_tests() {
  local name=$1; shift
  [ -e "$1" ] || { echo "error: no such tests: $*" >&2; return 1; }
  node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=tap --test-reporter-destination="target/test/$name.tap" "$@"
}
