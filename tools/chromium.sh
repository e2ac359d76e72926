#!/usr/bin/env bash
# Prints the path of a Chromium; installs Debian's, if there is none and this may.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
find_chromium() {
  local name
  for name in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return
  done
  return 1
}
find_chromium && exit
if ! command -v apt-get > /dev/null || [ "$(id -u)" != 0 ]; then
  die 'no Chromium: install it (the package chromium, or Chrome), or set CHROMIUM to the path of one'
fi
say 'installing Chromium (about 30 s) …'
mkdir -p target
{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium; } > target/apt.log 2>&1 < /dev/null ||
  { tail -n 5 target/apt.log >&2; die 'could not install Chromium (the end of target/apt.log is above)'; }
find_chromium
