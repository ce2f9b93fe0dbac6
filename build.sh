#!/usr/bin/env bash
# The one way to build, try and test intel-node.
#
#   ./build.sh            release binary dist/intel-node with its checksum
#   ./build.sh demo       build, then a complete sale in the embedded sandbox
#   ./build.sh test       everything CI runs
#   ./build.sh test:long  the same with the long suites
#   ./build.sh release    binaries for every system that cross-compiles, in dist/release
#
# Needs only npm (or a Bun of the pinned version). Finds or installs the rest by itself.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cd "$ROOT"
STARTED=$SECONDS
say() { printf '[%3ss] %s\n' "$((SECONDS - STARTED))" "$*" >&2; }
fail() {
  say "FAILED: $*"
  exit 1
}

BUN_VERSION=$(sed -n 's/.*"bun": "\([0-9.]*\)".*/\1/p' package.json | head -n 1)
COMPILE=(--compile --format=esm --sourcemap --no-compile-autoload-dotenv --no-compile-autoload-bunfig)

# Prints the path of a Bun that runs and has the pinned major and minor version.
works() { [ -x "$1" ] && [[ "$("$1" --version 2>/dev/null || true)" == "${BUN_VERSION%.*}".* ]]; }
find_bun() {
  local candidate
  for candidate in "${BUN:-}" node_modules/.bin/bun; do
    if [ -n "$candidate" ] && works "$candidate"; then echo "$candidate" && return; fi
  done
  # npm may have been told not to run install scripts: Bun's own script puts the real program in place.
  if [ -f node_modules/bun/install.js ] && command -v node >/dev/null; then
    (cd node_modules/bun && node install.js) >/dev/null 2>&1 || true
    if works node_modules/.bin/bun; then echo node_modules/.bin/bun && return; fi
  fi
  for candidate in node_modules/@oven/bun-*/bin/bun "$(command -v bun || true)"; do
    if [ -n "$candidate" ] && works "$candidate"; then echo "$candidate" && return; fi
  done
}

lock_hash() { cksum <package-lock.json | tr ' ' '-'; }
install() {
  local stamp=node_modules/.intel-node-lock
  if [ "$(cat "$stamp" 2>/dev/null || true)" = "$(lock_hash)" ]; then
    say "packages are in place"
  else
    say "installing packages (exact versions of package-lock.json)"
    if command -v npm >/dev/null; then
      npm ci --no-audit --no-fund --loglevel=error >&2 || fail "npm ci"
    else
      local bun
      bun=$(find_bun)
      [ -n "$bun" ] || fail "neither npm nor Bun $BUN_VERSION was found: install one of them"
      "$bun" install >&2 || fail "bun install"
    fi
    lock_hash >"$stamp"
  fi
  BUN=$(find_bun)
  [ -n "$BUN" ] || fail "Bun $BUN_VERSION could not be started"
  case "$BUN" in /*) ;; *) BUN="$ROOT/$BUN" ;; esac
  export BUN
  say "using Bun $("$BUN" --version)"
}

checksum() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

build() {
  say "writing generated files"
  "$BUN" src/cli/gen.ts >&2
  say "compiling dist/intel-node"
  mkdir -p dist
  "$BUN" build "${COMPILE[@]}" --bytecode src/node.ts --outfile dist/intel-node >&2 || fail "compile"
  (cd dist && checksum intel-node >intel-node.sha256)
  say "dist/intel-node: $(($(wc -c <dist/intel-node) / 1000000)) MB, sha256 $(cut -c1-16 dist/intel-node.sha256)…"
}

# Everything that cross-compiles. Windows goes without bytecode: nobody has run that combination.
release() {
  local failed=0 target name flags
  rm -rf dist/release && mkdir -p dist/release
  for target in linux-x64 linux-x64-baseline linux-arm64 linux-x64-musl darwin-arm64 windows-x64; do
    name="intel-node-$target"
    flags=("${COMPILE[@]}" "--target=bun-$target")
    if [ "$target" = windows-x64 ]; then name="$name.exe"; else flags+=(--bytecode); fi
    say "compiling $name"
    "$BUN" build "${flags[@]}" src/node.ts --outfile "dist/release/$name" >&2 || { say "not built: $name" && failed=1; }
  done
  rm -f dist/release/*.map
  (cd dist/release && checksum intel-node-* >SHA256SUMS)
  say "dist/release: $(wc -l <dist/release/SHA256SUMS) binaries with SHA256SUMS"
  return "$failed"
}

case "${1:-}" in
  "")
    install
    build
    ;;
  demo)
    shift
    install
    build
    say "running the demo"
    exec dist/intel-node demo "$@"
    ;;
  test | test:long)
    install
    build
    [ "$1" = test:long ] && export TEST_LONG=1
    say "running every check and test"
    exec "$BUN" test/run.ts
    ;;
  release)
    install
    build
    release
    ;;
  *)
    sed -n '2,10s/^# \{0,1\}//p' "$0"
    [ "$1" = help ] || [ "$1" = --help ] || exit 2
    ;;
esac
