# Shared by the scripts in tools/ (sourced, not run). Callers have `set -euo pipefail` and stand in the repository root.
# shellcheck shell=bash

# Progress and errors go to standard error: standard output belongs to what a script runs.
say() { printf '%s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# need COMMAND WHAT-TO-DO
need() { command -v "$1" >/dev/null 2>&1 || die "$1 is not on the PATH: $2"; }

need_rust() {
  need cargo 'install Rust 1.88 or newer with rustup'
  local version; version=$(rustc --version | cut -d' ' -f2)
  [ "$(printf '%s\n' 1.88 "$version" | sort -V | head -n 1)" = 1.88 ] || die "Rust 1.88 or newer is needed, found $version: 'rustup update stable'"
}
need_node() {
  need node 'install Node.js 20 or newer'
  need npm 'install npm (it comes with Node.js)'
  local version; version=$(node --version)
  [ "$(echo "${version#v}" | cut -d. -f1)" -ge 20 ] || die "Node.js 20 or newer is needed, found $version: install a newer one"
}

need_python() {
  need python3 'install Python 3.10 or newer'
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || die "Python 3.10 or newer is needed, found $(python3 --version): install a newer one"
  python3 -c 'import venv, ensurepip' 2> /dev/null || die "Python's venv is missing: install it (Debian: the package python3-venv)"
}

# Adds a target to the Rust toolchain in use, if it is not there (looked up in the sysroot: works without rustup too).
need_target() {
  [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ] && return
  command -v rustup >/dev/null 2>&1 || die "Rust's target $1 is missing and there is no rustup to add it: install Rust with rustup, or the target from where Rust came from"
  say "adding Rust's target $1 …"
  rustup --quiet target add "$1" || die "could not add Rust's target $1: try 'rustup target add $1'"
}

# npm_ci DIR: `npm ci` there, unless what is installed came from the same lock file.
npm_ci() {
  local stamp="$1/node_modules/.installed"
  cmp -s "$1/package-lock.json" "$stamp" && return
  say "installing npm packages for ${2:-$1} …"
  (cd "$1" && npm ci --no-audit --no-fund --loglevel=error) >&2 || die "'npm ci' in $1 failed (see above)"
  cp "$1/package-lock.json" "$stamp"
}
