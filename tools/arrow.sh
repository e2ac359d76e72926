#!/usr/bin/env bash
# Prints the path of a Python that has what js-tests/arrow/requirements.txt names: a virtual environment in target/, made anew when that file
# or Python itself has changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
need_python
requirements=js-tests/arrow/requirements.txt
venv=target/tools/arrow-$({ cat $requirements; python3 --version; } | sha256sum | cut -c1-16)
if [ ! -f "$venv/.installed" ]; then
  say 'installing pyarrow and DuckDB …'
  rm -rf target/tools/arrow-*
  python3 -m venv "$venv" || die "'python3 -m venv' failed (see above): install venv (Debian: the package python3-venv)"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: -r $requirements >&2 || die "pip could not install what $requirements names (see above)"
  touch "$venv/.installed"
fi
echo "$PWD/$venv/bin/python"
