#!/usr/bin/env bash
# Builds Duramen for Python and tests it, in a virtual environment of its own.
#
#     scripts/python.sh              everything
#     scripts/python.sh -k warc      some tests: what follows is for pytest
#     scripts/python.sh --check      whether there is a Python for it
#
# Needs Python 3.11 or newer with venv, and Java for the tests of Spark; what else is needed comes from the package registries (some
# 900 MB, once). The environment stays in target/python, where `target/python/bin/python` has the package for trying it out.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh
environment=target/python
python=$environment/bin/python

find_python() {
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    return 1
}
# What test.sh asks first.
if [ "${1:-}" = --check ]; then
    find_python >/dev/null || { python_makes_environments && find_python >/dev/null; }
    exit
fi
python_makes_environments || true
base=$(find_python) || fail "Python 3.11 or newer with venv is needed (Debian: python3-venv)"

if ! cat python/requirements-*.txt | cmp -s - "$environment/installed.txt"; then
    say "installing what the Python package is tested with, into $environment"
    rm -rf "$environment"
    "$base" -m venv "$environment"
    # The pip of Python 3.11 cannot resolve them.
    "$python" -m pip install --quiet --disable-pip-version-check pip==26.3
    "$python" -m pip install --quiet --disable-pip-version-check -r python/requirements-test.txt
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps -r python/requirements-nodeps.txt
    # Last, so that an environment that was not finished is made again.
    cat python/requirements-*.txt >"$environment/installed.txt"
fi

# Spark's tests start it.
command -v java >/dev/null || install_packages openjdk-17-jre-headless ||
    say "tests of Spark need Java 17 or newer; install openjdk-17-jre-headless to have them"

say "building the wheel"
# Of the profile of tests, whose dependencies are built already; wheels to publish are made by scripts/wheels.sh.
rm -rf target/wheels
"$environment/bin/maturin" build --quiet --locked --profile dev -m python/Cargo.toml -i "$python" -o target/wheels
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall target/wheels/duramen-*.whl

say "testing the wheel with nothing beside it"
rm -rf target/python-empty
"$base" -m venv --without-pip target/python-empty
"$python" -m pip --python target/python-empty/bin/python install --quiet --disable-pip-version-check --no-deps target/wheels/duramen-*.whl
target/python-empty/bin/python -I -W error python/tests/without_packages.py

# The program that the package is held against; test.sh has built it already.
if [ -z "${DURAMEN_PROGRAM:-}" ]; then
    cargo build --quiet --locked --bin duramen
    DURAMEN_PROGRAM=$PWD/target/debug/duramen
fi
export DURAMEN_PROGRAM
cd python
say "testing the package"
"../$python" -m pytest -q "$@"
[ $# -eq 0 ] || exit 0

say "checking its types"
"../$python" -m mypy.stubtest duramen._duramen
"../$python" -m mypy python/duramen

if chromium_is_there; then
    say "labelling in the browser"
    "../$python" -m pytest -q -p no:cacheprovider ../tests/browser
else
    echo "left out: labelling in the browser (needs Chromium)"
fi

if command -v npm >/dev/null || install_packages nodejs npm; then
    say "building pages with five generators of sites"
    ../experiments/structure/build.sh ../target/structure
    "../$python" -m pytest -q -p no:cacheprovider ../tests/structure
else
    [ "${CI:-}" != true ] || fail "Node cannot be installed; without it not all tests run"
    echo "left out: the pages of five generators (needs Node and npm)"
fi
