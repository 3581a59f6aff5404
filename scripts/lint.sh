#!/usr/bin/env bash
# What is checked beside the tests: format, lints, counts of instructions, the library without features, packages, documentation.
#
#     scripts/lint.sh
#
# Needs rustfmt and clippy, and installs valgrind if that can be had without asking.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh
# Nothing of it runs for long.
export CARGO_PROFILE_DEV_OPT_LEVEL=0
cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings
# The library alone, and the program alone.
cargo test --locked --no-default-features --test minimal
cargo clippy --locked --no-default-features --features cli -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps
# Both packages can be made; without --no-verify each is built from its files too, which takes as long as a first build.
cargo package --locked --workspace --no-verify
bash scripts/instructions.sh
bash scripts/site.sh
