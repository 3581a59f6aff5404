#!/usr/bin/env bash
# Holds the wheel for aarch64 against the one for this machine, under qemu: the same extractions and the same trained models, to the byte.
#
#     scripts/python.sh && scripts/wheels.sh && scripts/wheels.sh --target aarch64-unknown-linux-gnu
#     scripts/aarch64.sh [FOLDER ...]        # the pages of this repository, and those below each FOLDER
#
# For Debian 12 on x86-64, whose Python is 3.11: qemu is installed, and Python for aarch64 is unpacked below target/aarch64, where nothing else sees it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

place=$PWD/target/aarch64
wheel() { find target/wheels -name "duramen-*-abi3-manylinux*_$1.whl" | sort | tail -n 1; }
for machine in x86_64 aarch64; do
    file=$(wheel $machine)
    [ -n "$file" ] || fail "there is no wheel for $machine in target/wheels; see the first lines of $0"
    rm -rf "${place:?}/$machine"
    target/python/bin/python -m zipfile -e "$file" "$place/$machine"
done
command -v qemu-aarch64-static >/dev/null || install_packages qemu-user-static || fail "qemu-aarch64-static is needed"
root=$place/root
if ! [ -d "$root" ]; then
    say "unpacking Python for aarch64"
    # Lists of packages of its own, so that the machine's stay as they are.
    mkdir -p "$place/apt/lists/partial" "$place/packages"
    options=(-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$place/apt/lists" -o Dir::Cache="$place/apt"
        -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update >/dev/null
    (cd "$place/packages" && apt-get "${options[@]}" download python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libc6 libexpat1 \
        zlib1g libgcc-s1 libffi8 libssl3 >/dev/null)
    for package in "$place"/packages/*.deb; do dpkg -x "$package" "$root.part"; done
    mv "$root.part" "$root"
fi
PYTHONPATH=$place/x86_64 target/python/bin/python scripts/same_results.py "$place/x86_64.jsonl" "$@"
qemu-aarch64-static -L "$root" -E PYTHONPATH="$place/aarch64" "$root/usr/bin/python3.11" scripts/same_results.py "$place/aarch64.jsonl" "$@"
cmp "$place/x86_64.jsonl" "$place/aarch64.jsonl" || fail "aarch64 has other results; compare the two files in $place"
echo "the same on x86-64 and aarch64"
