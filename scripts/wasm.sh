#!/usr/bin/env bash
# Builds Duramen for browsers and Node, and tests it there.
#
#     scripts/wasm.sh                everything: the package target/wasm/package, the demonstration target/wasm/demo
#     scripts/wasm.sh --build        without the tests
#
# Needs Rust's standard library for wasm32-unknown-unknown: it is taken from rustup, else built from Debian's packages of Rust. What else is
# needed comes from the package registries. Without Rust for WebAssembly, Node or Chromium their part is left out, but never where CI is
# "true". With DURAMEN_SCREENSHOTS=FOLDER the tests write pictures of the demonstration there.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh
target=wasm32-unknown-unknown
out=$PWD/target/wasm
mkdir -p "$out"
# Bytes of the whole package, its model packed with gzip.
most=6000000

left_out() {
    [ "${CI:-}" != true ] || fail "$1 cannot be installed; without it not all tests run"
    echo "left out: $2 (needs $1)"
    exit 0
}

has_target() { [ -d "$(rustc --print target-libdir --target "$target" 2>/dev/null)" ]; }

# Sees to it that there are Debian's Rust with the sources of its standard library and the linker of the same LLVM, if they can be had without
# asking and without taking another Rust away.
debian_rust_is_there() {
    local llvm
    is_there() { [ -d /usr/lib/rustlib/src/rust/library ] && PATH=/usr/bin:/bin rust_is_new_enough; }
    is_there || { install_packages --no-remove rustc-web cargo-web rust-web-src && is_there; } || return 1
    llvm=$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    linker=wasm-ld-$llvm
    command -v "$linker" >/dev/null || install_packages "lld-$llvm"
}

cargo=(cargo)
if has_target || { command -v rustup >/dev/null && timeout 120 rustup target add "$target" </dev/null >&2 && has_target; }; then
    :
elif debian_rust_is_there; then
    # A released cargo builds the standard library only if it is told to take itself for an unreleased one.
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
    cargo=(/usr/bin/cargo -Z build-std=std,panic_abort)
else
    left_out "Rust for WebAssembly" "the package for browsers and Node"
fi

# The command must be of the same version as the crate.
version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"/\1/p}' Cargo.lock)
bindgen=$out/tools/bin/wasm-bindgen
if [ "$("$bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
    say "installing wasm-bindgen $version"
    # Not optimised, since it runs once. Without what its servers for tests need. What it was locked to need not be in every mirror of the registry.
    install_bindgen() {
        env -u RUSTC -u RUSTC_BOOTSTRAP CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_TARGET_DIR="$out/tools/build" cargo install --quiet "$@" \
            --no-default-features wasm-bindgen-cli --version "=$version" --bin wasm-bindgen --root "$out/tools" >&2
    }
    install_bindgen --locked 2>/dev/null || install_bindgen
    rm -rf "$out/tools/build"
fi

say "building the module"
# Paths of this machine are not in it.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128 --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
CARGO_TARGET_DIR=$out/build "${cargo[@]}" build --quiet --locked --profile wasm --target "$target" -p duramen-wasm >&2

package=$out/package
rm -rf "$package"
mkdir -p "$package"
"$bindgen" --target web --no-typescript --experimental-reset-state-function --remove-name-section --remove-producers-section \
    --out-name duramen_wasm --out-dir "$package" "$out/build/$target/wasm/duramen_wasm.wasm"
cp wasm/js/* wasm/package.json LICENSE-APACHE LICENSE-MIT THIRD_PARTY.md "$package"
# The types are beside it there.
sed 's|(js/index.d.ts)|(index.d.ts)|' wasm/README.md >"$package/README.md"
gzip -9n <models/web.json >"$package/web.json.gz"

demo=$out/demo
rm -rf "$demo"
mkdir -p "$demo/duramen" "$demo/examples"
cp demo/*.html demo/*.css demo/*.js "$demo"
cp "$package"/*.js "$package"/*.wasm "$package"/*.gz "$demo/duramen"
cp examples/pages/*.html "$demo/examples"

bytes=$(cat "$package"/* | wc -c)
printf '%-28s %9d bytes, %d with gzip\n' module "$(wc -c <"$package/duramen_wasm_bg.wasm")" "$(gzip -9n <"$package/duramen_wasm_bg.wasm" | wc -c)"
printf '%-28s %9d bytes, %d as it is\n' "model, with gzip" "$(wc -c <"$package/web.json.gz")" "$(wc -c <models/web.json)"
printf '%-28s %9d bytes, %d at most\n' "the package" "$bytes" "$most"
[ "$bytes" -le "$most" ] || fail "the package is too large"
[ "${1:-}" != --build ] || exit 0

command -v npm >/dev/null || install_packages nodejs npm || left_out Node "the tests of the package for browsers and Node"
# The program that the package is held against; test.sh has built it already.
if [ -z "${DURAMEN_PROGRAM:-}" ]; then
    say "building the program that the package is held against"
    env -u RUSTC -u RUSTC_BOOTSTRAP cargo build --quiet --locked --bin duramen
    DURAMEN_PROGRAM=$PWD/target/debug/duramen
fi
DURAMEN_PROGRAM=$(realpath "$DURAMEN_PROGRAM")
export DURAMEN_PROGRAM DURAMEN_ROOT=$PWD DURAMEN_DEMO=$demo
[ -z "${DURAMEN_SCREENSHOTS:-}" ] || DURAMEN_SCREENSHOTS=$(realpath "$DURAMEN_SCREENSHOTS")

tests=$out/tests
mkdir -p "$tests"
cp wasm/tests/* "$tests"
(cd "$package" && npm pack --silent --pack-destination "$tests" >/dev/null)
cd "$tests"
cmp -s package-lock.json installed.json || { npm ci --silent --no-audit --no-fund && cp package-lock.json installed.json; }
# As npm unpacks it.
rm -rf node_modules/duramen && mkdir node_modules/duramen
tar -xzf duramen-*.tgz -C node_modules/duramen --strip-components 1
say "checking the types"
npx tsc -p .
say "testing the package in Node"
node --test --test-reporter spec package.test.mjs
if chromium_is_there; then
    DURAMEN_CHROMIUM=${DURAMEN_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
    export DURAMEN_CHROMIUM
    say "testing the demonstration in Chromium"
    node --test --test-reporter spec demo.test.mjs
else
    left_out Chromium "the demonstration"
fi
