#!/usr/bin/env bash
# Makes what is published of the program, for this platform: a Debian package, and an archive of the program with its man pages, completions
# and licences. Looks whether both work: unpacks them and extracts a page.
#
#     scripts/packages.sh                           # into target/packages
#     DURAMEN_PROGRAM=FILE scripts/packages.sh      # the archive alone, of a program that is built already
#
# The archive is the same bytes wherever it is made of the same program. cargo-deb is installed into target/packaging if it is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

out=target/packages
tools=$PWD/target/packaging
PATH=$tools/bin:$PATH
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
platform=$(rustc -vV | sed -n 's/^host: //p')

program=${DURAMEN_PROGRAM:-}
if [ -z "$program" ]; then
    say "building (some minutes the first time)"
    cargo build --release --locked --bin duramen
    program=${CARGO_TARGET_DIR:-target}/release/duramen
fi

rm -rf "$out"
mkdir -p "$out/man" "$out/completions"
"$program" man --output-dir "$out/man"
for shell in bash zsh fish; do "$program" completions "$shell" >"$out/completions/duramen.$shell"; done

say "the archive"
name=duramen-$version-$platform
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/$name"
cp "$program" "$stage/$name/duramen"
cp -r "$out/man" "$out/completions" LICENSE-APACHE LICENSE-MIT THIRD_PARTY.md CHANGELOG.md "$stage/$name/"
cp docs/CRATE.md "$stage/$name/README.md"
# Nothing of who made it, and when, gets in.
tar -C "$stage" --sort=name --mtime="@$(git log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - "$name" |
    gzip -9n >"$out/$name.tar.gz"

works() {
    "$1" extract examples/pages/lighthouse.html >"$stage/said"
    grep -q '112 steps' "$stage/said" || fail "$1 does not extract"
}
mkdir "$stage/archive"
tar -C "$stage/archive" -xzf "$out/$name.tar.gz"
works "$stage/archive/$name/duramen"

if [ -n "${DURAMEN_PROGRAM:-}" ]; then
    say "without the Debian package, which is made of a release"
elif command -v dpkg-deb >/dev/null; then
    say "the Debian package"
    [ "$(cargo-deb --version 2>/dev/null)" = 3.8.0 ] ||
        CARGO_TARGET_DIR=$tools/build cargo install --quiet cargo-deb --version =3.8.0 --locked --root "$tools"
    cargo deb --quiet --no-build --locked --output "$out/"
    for package in "$out"/*.deb; do
        dpkg-deb -x "$package" "$stage/debian"
        works "$stage/debian/usr/bin/duramen"
        for file in man/man1/duramen.1.gz bash-completion/completions/duramen doc/duramen/copyright; do
            [ -f "$stage/debian/usr/share/$file" ] || fail "$package is without $file"
        done
    done
else
    say "left out: the Debian package, which needs dpkg-deb"
fi
(cd "$out" && shopt -s nullglob && sha256sum -- *.tar.gz *.deb | tee SHA256SUMS)
