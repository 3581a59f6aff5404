#!/bin/sh
# Makes tests/references/boilerpipe.csv.zst, what Boilerpipe 1.2.0 does with every original of L3S-GN1.
#
#   scripts/boilerpipe_reference.sh [DATA]
#
# DATA is a data folder with l3s-gn1, as `duramen data fetch l3s-gn1` makes it; without it the default one. The Java
# packages are Debian's and are installed if they are missing. The boilerpipe archive comes first on the class path,
# before NekoHTML: it brings a tag balancer of its own, which the release was meant to run with. Java up to 18 is
# needed, since later versions part words at other places.
set -eu
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

java=/usr/share/java
if ! command -v javac >/dev/null || [ ! -e $java/boilerpipe.jar ] || [ ! -e $java/nekohtml.jar ]; then
    install_packages libboilerpipe-java libnekohtml-java libxerces2-java default-jdk-headless ||
        fail "install libboilerpipe-java libnekohtml-java libxerces2-java default-jdk-headless, then run this again"
fi

data=${1:-${DURAMEN_DATA_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/duramen}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/pages" "$work/classes"

cargo build --quiet --example boilerpipe_reference
reference=${CARGO_TARGET_DIR:-target}/debug/examples/boilerpipe_reference
"$reference" pages "$data" "$work/pages"
classes=$java/boilerpipe.jar:$java/nekohtml.jar:$java/xercesImpl.jar
javac -cp "$classes" -d "$work/classes" scripts/boilerpipe/ReferenceBlocks.java
java -cp "$classes:$work/classes" ReferenceBlocks "$work/pages" >"$work/blocks.tsv"
"$reference" condense "$data" "$work/blocks.tsv" tests/references/boilerpipe.csv.zst
