#!/usr/bin/env bash
# Installs what is missing and runs all tests: of the library, of the program, and the examples in the documentation.
#
# Some tests need third-party pages that cannot be passed on. They look for the archives in ../shared/datasets (or in
# $DURAMEN_SHARED/datasets). Without the archives they are left out, and listed at the end; with them none may be. Tests
# that need Python, Chromium, Node or Rust for WebAssembly are left out without it, but never where CI is "true".
set -euo pipefail
cd "$(dirname "$0")"
. scripts/prerequisites.sh
python_makes_environments || say "tests that need Python will be left out; install python3-venv to have them"
if ! chromium_is_there; then
    [ "${CI:-}" != true ] || fail "Chromium cannot be installed; without it not all tests run"
    say "tests that need Chromium will be left out; install chromium to have them"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# --show-output, because a test that passes says what it left out on its standard output.
status=0
cargo test --locked --workspace --exclude duramen-python --no-fail-fast "$@" -- --show-output </dev/null 2>&1 | tee "$log" || status=$?

# The package for Python has tests in Python, which need a Python that makes environments.
program=$(realpath -m "${CARGO_TARGET_DIR:-target}")/debug/duramen
if [ $# -eq 0 ] && [ ! -x "$program" ]; then
    say "the program was not built: without it the package for Python is not tested"
    status=1
elif [ $# -eq 0 ] && scripts/python.sh --check; then
    DURAMEN_PROGRAM=$program scripts/python.sh 2>&1 | tee -a "$log" || status=$?
elif [ $# -eq 0 ]; then
    [ "${CI:-}" != true ] || fail "Python 3.11 with venv cannot be installed; without it not all tests run"
    echo "left out: the package for Python (needs Python 3.11 or newer with venv)" | tee -a "$log"
fi

# So has the package for browsers and Node; it leaves out by itself what it cannot have.
if [ $# -eq 0 ] && [ -x "$program" ]; then
    DURAMEN_PROGRAM=$program scripts/wasm.sh 2>&1 | tee -a "$log" || status=$?
fi

left_out=$(grep '^left out: ' "$log" | sort -u || true)
if [ -n "$left_out" ]; then
    printf '\nLeft out, because third-party pages, Python, Chromium, Node or Rust for WebAssembly are not here:\n'
    printf '%s\n' "$left_out" | sed 's/^left out: /  - /'
    if [ -d "${DURAMEN_SHARED:-../shared}/datasets" ] && grep -qvE 'needs (Python|Chromium|Node|Rust for WebAssembly)' <<<"$left_out"; then
        printf 'The archives are in %s: nothing but what needs Python, Chromium, Node or Rust for WebAssembly may be left out.\n' "${DURAMEN_SHARED:-../shared}"
        status=1
    fi
fi

printf '\nAll results:\n'
# With what cargo says of the cause.
grep -E -A 8 '^error(\[|:)' "$log" || true
grep -E '^test result: ' "$log" || true
exit "$status"
