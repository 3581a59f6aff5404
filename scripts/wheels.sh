#!/usr/bin/env bash
# Makes the wheels to publish, into target/wheels: one for Python 3.11 and later, and one for each free-threaded Python given.
#
#     scripts/wheels.sh                    manylinux2014, with the linker of zig
#     scripts/wheels.sh python3.14t        and for this free-threaded Python
#     scripts/wheels.sh --target aarch64-unknown-linux-gnu
#
# Needs the environment of scripts/python.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=target/python
[ -x "$environment/bin/maturin" ] || { echo "run scripts/python.sh first" >&2; exit 1; }
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check ziglang==0.17.1
target=()
if [ "${1:-}" = --target ]; then
    target=(--target "${2:?scripts/wheels.sh --target TARGET}")
    shift 2
fi
build() { "$environment/bin/maturin" build --release --locked --zig --compatibility manylinux2014 -m python/Cargo.toml -o target/wheels ${target[@]+"${target[@]}"} "$@"; }
PATH=$PWD/$environment/bin:$PATH
build -i "$environment/bin/python"
for free_threaded in "$@"; do
    build --no-default-features -i "$free_threaded"
done
ls -l target/wheels
