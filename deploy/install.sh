#!/bin/sh
# Installs intel-node from a folder of releases: install.sh URL [DIR]. URL holds latest/SHA256SUMS and the archives of
# "./build.sh release"; DIR is /usr/local/bin unless named. Checks the digest before anything is unpacked; with minisign
# at hand, and RELEASE_KEY set, the signature of the digests as well. Starts nothing.
set -eu

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

[ $# -ge 1 ] || fail "which folder of releases? install.sh URL [DIR]"
url=${1%/}/latest
dir=${2:-/usr/local/bin}

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "there is no program for $(uname -s)" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) target=$system-x64 ;;
  aarch64 | arm64) target=$system-arm64 ;;
  *) fail "there is no program for $(uname -m)" ;;
esac
# Which C library the system itself uses: the other one may be installed beside it. Without AVX2 the usual program ends
# with "illegal instruction".
if ldd --version 2>&1 | grep -qi musl; then target=$target-musl; fi
if [ "$target" = linux-x64 ] && ! grep -q avx2 /proc/cpuinfo; then target=linux-x64-baseline; fi
archive=intel-node-$target.tar.gz

fetch() {
  if command -v curl >/dev/null; then curl -fsSL -o "$2" "$1"; else wget -qO "$2" "$1"; fi \
    || fail "$1 cannot be fetched"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch "$url/SHA256SUMS" "$work/SHA256SUMS"
if [ -n "${RELEASE_KEY:-}" ] && command -v minisign >/dev/null; then
  fetch "$url/SHA256SUMS.minisig" "$work/SHA256SUMS.minisig"
  minisign -Vqm "$work/SHA256SUMS" -P "$RELEASE_KEY" || fail "the digests are not signed with RELEASE_KEY"
fi
fetch "$url/$archive" "$work/$archive"

wanted=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
[ -n "$wanted" ] || fail "SHA256SUMS does not name $archive"
if command -v sha256sum >/dev/null; then digest=sha256sum; else digest="shasum -a 256"; fi
found=$($digest "$work/$archive")
[ "${found%% *}" = "$wanted" ] || fail "$archive has another digest than SHA256SUMS says: nothing was installed"

tar -xzf "$work/$archive" -C "$work" --strip-components=1
mkdir -p "$dir"
# Whole or not at all, also while the old one runs.
cp "$work/intel-node" "$dir/.intel-node.new"
chmod 0755 "$dir/.intel-node.new"
mv "$dir/.intel-node.new" "$dir/intel-node"
echo "$("$dir/intel-node" version) is in $dir. Next: intel-node demo, or intel-node init"
