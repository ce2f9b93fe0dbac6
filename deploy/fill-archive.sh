#!/usr/bin/env bash
# deploy/fill-archive.sh FILES FOLDER: puts what lies beside the program into the folder of an archive.
# FILES is what src/tools/release-files.ts wrote.
set -euo pipefail
files=$1 folder=$2
cp -r "$files/guide/." "$folder/"
cp "$files/intel-node.1" "$files/sbom.cdx.json" "$folder/"
mkdir "$folder/completions"
cp "$files"/{intel-node.bash,_intel-node,intel-node.fish} "$folder/completions/"
