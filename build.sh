#!/usr/bin/env bash
# The one way to build, try and test intel-node.
#
#   ./build.sh            release binary dist/intel-node with its checksum
#   ./build.sh demo       build, then a complete sale in the embedded sandbox (further words go to the demo)
#   ./build.sh test       everything CI runs; the last line is "N passed, N failed"
#   ./build.sh test:full  the same with full counts, for who changed the ledger, payments or storage
#   ./build.sh test:long  the same with counts for machines that have hours
#   ./build.sh release    archives, Debian packages, bill of materials and digests in dist/release
#   ./build.sh help       these lines
#
# Needs npm, or a Bun of the pinned version; finds or installs the rest by itself. BUN=/path/to/bun names one to use.
set -euo pipefail

CALLED_FROM=$PWD
ROOT=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
cd -- "$ROOT"

say() { printf '[%3ss] %s\n' "$SECONDS" "$*" >&2; }
fail() {
  say "FAILED: $*"
  exit 1
}

BUN_VERSION=$(sed -n 's/^ *"bun": "\([0-9.]*\)".*/\1/p' package.json | head -n 1)
VERSION=$(sed -n 's/^ *"version": "\([^"]*\)".*/\1/p' package.json | head -n 1)
LOCK_STAMP=node_modules/.intel-node-lock
NPM_OPTIONS=(--no-audit --no-fund --loglevel=error)

# BUN may be a command or a path; a relative path is meant from where the caller stands.
case "${BUN:-}" in
  "" | /*) ;;
  */*) BUN="$CALLED_FROM/$BUN" ;;
  *) BUN=$(command -v "$BUN" || true) ;;
esac

# A Bun that starts and has the pinned major and minor version. Without its install script npm leaves a placeholder.
works() { [ -x "$1" ] && [[ "$("$1" --version 2>/dev/null || true)" == "${BUN_VERSION%.*}".* ]]; }

absolute() { case "$1" in /*) echo "$1" ;; *) echo "$ROOT/$1" ;; esac; }

# Prints the first Bun that works; nothing when there is none.
find_bun() {
  local candidate
  for candidate in "${BUN:-}" node_modules/.bin/bun; do
    if [ -n "$candidate" ] && works "$candidate"; then absolute "$candidate" && return; fi
  done
  if [ -f node_modules/bun/install.js ] && command -v node >/dev/null; then
    (cd node_modules/bun && node install.js) >/dev/null 2>&1 || true
    if works node_modules/.bin/bun; then absolute node_modules/.bin/bun && return; fi
  fi
  for candidate in node_modules/@oven/bun-*/bin/bun "$(command -v bun || true)"; do
    if [ -n "$candidate" ] && works "$candidate"; then absolute "$candidate" && return; fi
  done
}

# Packages are installed anew when the lock file is another one than at the last complete installation.
# install run: what the program is built from, a third of all; install test: what tests and checks use as well.
install() {
  local wanted scope=$1 omit=(--omit=dev)
  wanted=$(cksum <package-lock.json)
  if [ "$scope" = test ]; then omit=(--include=dev); else wanted="$wanted without tests"; fi
  case "$(cat "$LOCK_STAMP" 2>/dev/null || true)" in
    "$wanted" | "${wanted% without tests}") scope=there ;;
  esac
  if [ "$scope" = there ]; then
    say "packages are in place"
  elif [ -L node_modules ]; then
    # A linked folder belongs to another checkout: npm would empty it.
    say "node_modules is a link: its packages are used as they are"
  else
    say "installing packages, exactly those of package-lock.json"
    if command -v npm >/dev/null; then
      # npm ci refuses a lock file that leaves out packages of other systems; npm install takes the same versions.
      npm ci "${omit[@]}" "${NPM_OPTIONS[@]}" >&2 || {
        say "npm ci failed, trying npm install with the same lock file"
        npm install --no-save "${omit[@]}" "${NPM_OPTIONS[@]}" >&2 || fail "npm install"
      }
    else
      BUN=$(find_bun)
      [ -n "$BUN" ] || fail "neither npm nor Bun $BUN_VERSION was found: install one of them"
      "$BUN" install --no-save >&2 || fail "bun install"
    fi
    printf '%s\n' "$wanted" >"$LOCK_STAMP"
  fi
  BUN=$(find_bun)
  [ -n "$BUN" ] || fail "no Bun $BUN_VERSION could be started; set BUN to one"
  export BUN
  say "using Bun $("$BUN" --version) ($BUN)"
}

# The commit, marked when files differ from it; only if this folder itself is a checkout, not one inside another.
commit() {
  local top hash
  top=$(git rev-parse --show-toplevel 2>/dev/null || true)
  if [ -z "$top" ] || [ "$(CDPATH='' cd -- "$top" && pwd -P)" != "$ROOT" ]; then echo unknown && return; fi
  hash=$(git rev-parse --short=12 HEAD 2>/dev/null) || { echo unknown && return; }
  [ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || hash="$hash+changes"
  echo "$hash"
}

checksum() { if command -v sha256sum >/dev/null; then sha256sum -- "$@"; else shasum -a 256 -- "$@"; fi; }

generate() {
  say "writing generated files"
  "$BUN" src/tools/gen.ts >&2 || fail "generated files"
}

# The public key that "intel-node upgrade" trusts: RELEASE_KEY, else deploy/release.pub, else none.
release_key() {
  if [ -n "${RELEASE_KEY:-}" ]; then echo "$RELEASE_KEY" && return; fi
  if [ -f deploy/release.pub ]; then tail -n 1 deploy/release.pub; fi
}

# Bun itself answers a longer request line with an empty 431. A question of 30,000 letters shall reach the node, which says
# how long it may be.
HEAD_BYTES_MAX=131072

# compile OUTFILE BUILD [FLAG...]: BUILD is "local" or the target of a release, and how to make the same again. Names stay as they are, for the router reads them; neither .env nor bunfig.toml of the folder
# the binary is started in may change it; in chunks, so that a command loads only its own code; __dirname of old packages
# would put this folder's path into the binary, so that the same sources gave other bytes elsewhere.
compile() {
  local outfile=$1 kind=$2 code
  shift 2
  code=$("$BUN" src/tools/code-digests.ts) || return 1
  "$BUN" build --compile --format=esm --splitting --minify-syntax --minify-whitespace \
    --compile-exec-argv="--max-http-header-size=$HEAD_BYTES_MAX" \
    --no-compile-autoload-dotenv --no-compile-autoload-bunfig \
    --define '__dirname="/intel-node"' --define "INTEL_NODE_COMMIT=\"$COMMIT\"" \
    --define "INTEL_NODE_CODE=$code" --define "INTEL_NODE_BUILD=\"$kind\"" \
    --define "INTEL_NODE_RELEASE_KEY=\"$(release_key)\"" "$@" \
    src/node.ts src/threads/dataset-worker.ts src/ledger/sqlite/ledger-worker.ts src/threads/picture-worker.ts src/stores/inputs-worker.ts src/threads/compute-worker.ts --outfile "$outfile" >&2 || return 1
  # The binary holds its own, too.
  rm -f "$(dirname "$outfile")"/*.map
}

build() {
  COMMIT=$(commit)
  say "compiling dist/intel-node, version $VERSION, commit $COMMIT"
  mkdir -p dist
  # An old binary must not pass for a new one when compiling fails.
  rm -f dist/intel-node dist/intel-node.sha256
  # Bytecode, and stacks that name lines of the sources, are worth 30 MB here; a release is as small as it can be.
  # What a start uses lies together (bun run record:order): 9 MB less of the file are held.
  compile dist/intel-node local --bytecode --bytecode-order=src/tools/start.order --sourcemap || return 1
  (cd dist && checksum intel-node >intel-node.sha256)
  say "dist/intel-node: $(($(wc -c <dist/intel-node) / 1000000)) MB, sha256 $(cut -c1-64 dist/intel-node.sha256)"
}

release() {
  local target name failed=0 targets=("$@")
  [ $# -gt 0 ] || targets=(linux-x64 linux-x64-baseline linux-arm64 linux-x64-musl darwin-arm64 windows-x64)
  COMMIT=$(commit)
  rm -rf dist/release
  mkdir -p dist/release
  for target in "${targets[@]}"; do
    name="intel-node-$target"
    if [ "$target" = windows-x64 ]; then name="$name.exe"; fi
    say "compiling dist/release/$name"
    # Without bytecode: a start takes a quarter of a second more, an archive 7 MB less.
    if ! compile "dist/release/$name" "$target" "--target=bun-$target"; then
      say "FAILED: $name"
      rm -f "dist/release/$name"
      failed=1
    fi
  done
  compgen -G 'dist/release/intel-node-*' >/dev/null || fail "no target could be compiled"
  "$BUN" src/tools/release-files.ts dist/release/beside >&2 || fail "man page, completions, bill of materials"
  pack
  cp dist/release/beside/sbom.cdx.json deploy/install.sh dist/release/
  rm -r dist/release/beside
  "$BUN" src/tools/release-files.ts release.json dist/release || fail "release.json"
  (cd dist/release && checksum intel-node*.tar.gz $(compgen -G 'intel-node*.tar.xz' || true) $(compgen -G 'intel-node*.deb' || true) >SHA256SUMS)
  if [ -n "${RELEASE_SECRET_KEY:-}" ]; then
    for signed in release.json SHA256SUMS; do
      "$BUN" src/tools/sign-release.ts sign "$RELEASE_SECRET_KEY" "dist/release/$signed" "intel-node $VERSION" \
        || fail "signing"
    done
  else
    say "not signed: RELEASE_SECRET_KEY names no key file, so no node will take this release as an upgrade"
  fi
  say "dist/release: $(wc -l <dist/release/SHA256SUMS) archives and SHA256SUMS"
  return "$failed"
}

# Seconds since 1970 of the commit; 0 without git.
release_time() { git log -1 --format=%ct 2>/dev/null || echo 0; }

# pack_deb FOLDER ARCH: a Debian package, where there are the tools for one.
pack_deb() {
  if ! command -v dpkg-deb >/dev/null; then say "no .deb: dpkg-deb is not here" && return; fi
  SOURCE_DATE_EPOCH=$(release_time) deploy/build-deb.sh "$1/intel-node" dist/release/beside "$1/intel-node.service" \
    "$2" "$VERSION" "dist/release/intel-node_${VERSION}_$2.deb" || fail "package"
}

# shrink NAME TAR: a third smaller than gzip makes it, for who has xz; a filter for the processor saves another 3 MB.
shrink() {
  local filter=()
  if ! command -v xz >/dev/null; then say "no .tar.xz: xz is not here" && return; fi
  case "$1" in *x64*) filter=(--x86) ;; *arm64*) filter=(--arm64) ;; esac
  xz --threads=1 "${filter[@]}" --lzma2=preset=9 -c "$2" >"dist/release/$1.tar.xz" || fail "xz"
  say "dist/release/$1.tar.xz: $(($(wc -c <"dist/release/$1.tar.xz") / 1000000)) MB"
}

# Puts each binary into an archive with all that the documents name, and the licences of what it is made of.
pack() {
  local binary name folder
  for binary in dist/release/intel-node-*; do
    name=$(basename "$binary" .exe)
    folder="dist/release/$name-$VERSION"
    mkdir "$folder"
    case "$binary" in *.exe) mv "$binary" "$folder/intel-node.exe" ;; *) mv "$binary" "$folder/intel-node" ;; esac
    deploy/fill-archive.sh dist/release/beside "$folder" || fail "documents"
    "$BUN" src/tools/licences.ts >"$folder/THIRD-PARTY-LICENCES.txt" || fail "licences"
    case "$name" in
      *linux*) "$BUN" src/node.ts init --systemd --out /nowhere/node.toml >"$folder/intel-node.service" ;;
    esac
    case "$name" in
      *linux-x64) pack_deb "$folder" amd64 ;;
      *linux-arm64) pack_deb "$folder" arm64 ;;
    esac
    # Equal sources, equal bytes: no name, no owner and no time of this machine.
    tar -C dist/release --sort=name --mtime="@$(release_time)" --owner=0 --group=0 --numeric-owner \
      -cf "$folder.tar" "$name-$VERSION" || fail "archive"
    gzip -9n <"$folder.tar" >"dist/release/$name.tar.gz" || fail "archive"
    shrink "$name" "$folder.tar"
    rm -r "$folder" "$folder.tar"
  done
}

VERB=${1:-}
[ $# -eq 0 ] || shift
case "$VERB" in
  "")
    install run
    generate
    build || fail "compile"
    ;;
  demo)
    install run
    generate
    build || fail "compile"
    say "running the demo"
    # Paths among the arguments are meant from where the caller stands.
    cd -- "$CALLED_FROM"
    exec "$ROOT/dist/intel-node" demo "$@"
    ;;
  test | test:full | test:long)
    # Generated files are compared here, not written: a stale one has to fail.
    install test
    build || say "FAILED: compile"
    unset TEST_FULL TEST_LONG
    case "$VERB" in
      test:full) export TEST_FULL=1 ;;
      test:long) export TEST_LONG=1 ;;
    esac
    say "running every check and test"
    exec "$BUN" test/run.ts
    ;;
  release)
    install run
    generate
    release "$@"
    ;;
  *)
    sed -n '2,10s/^# \{0,1\}//p' build.sh
    [ "$VERB" = help ] || [ "$VERB" = --help ] || [ "$VERB" = -h ] || exit 2
    ;;
esac
