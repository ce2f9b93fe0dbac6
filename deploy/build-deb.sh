#!/usr/bin/env bash
# deploy/build-deb.sh BINARY FILES UNIT ARCH VERSION OUT: a .deb of a compiled program; equal input, equal bytes.
# FILES is what src/tools/release-files.ts wrote.
set -euo pipefail
binary=$1 files=$2 unit=$3 arch=$4 version=$5 out=$6
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 0755 "$root"

put() { install -D -m "$1" "$2" "$root/$3"; }
put 0755 "$binary" usr/bin/intel-node
put 0640 "$here/debian/node.toml" etc/intel-node/node.toml
sed 's#/usr/local/bin/#/usr/bin/#; s#--config [^ ]*#--config /etc/intel-node/node.toml#' "$unit" >"$root/unit"
put 0644 "$root/unit" lib/systemd/system/intel-node.service
rm "$root/unit"
put 0644 "$files/intel-node.bash" usr/share/bash-completion/completions/intel-node
put 0644 "$files/_intel-node" usr/share/zsh/vendor-completions/_intel-node
put 0644 "$files/intel-node.fish" usr/share/fish/vendor_completions.d/intel-node.fish
put 0644 "$files/sbom.cdx.json" usr/share/doc/intel-node/sbom.cdx.json
put 0644 "$here/../LICENSE" usr/share/doc/intel-node/copyright
# All that the documents name, with their own words: links and paths hold as they do in an archive.
cp -r "$files/guide/." "$root/usr/share/doc/intel-node/"
find "$root/usr/share/doc/intel-node" -type d -exec chmod 0755 {} + -o -type f -exec chmod 0644 {} +
install -d "$root/usr/share/man/man1"
gzip -9n <"$files/intel-node.1" >"$root/usr/share/man/man1/intel-node.1.gz"
chmod 0644 "$root/usr/share/man/man1/intel-node.1.gz"

install -d "$root/DEBIAN"
size=$(du -sk "$root" | cut -f1)
sed "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@SIZE@/$size/" "$here/debian/control.in" >"$root/DEBIAN/control"
echo /etc/intel-node/node.toml >"$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do install -m 0755 "$here/debian/$script" "$root/DEBIAN/$script"; done
find "$root" -print0 | xargs -0 touch -h -d "@${SOURCE_DATE_EPOCH:-0}"
dpkg-deb --root-owner-group "-Z${DEB_COMPRESSION:-xz}" --build "$root" "$out" >/dev/null
