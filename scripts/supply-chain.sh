#!/usr/bin/env bash
# Checks before a release what comes in from others and what goes out: licences, bans and sources of dependencies, their advisories where
# the database can be reached, the Rust that they ask for, the package made twice, the bill of materials, the program.
#
#     scripts/supply-chain.sh FOLDER              # writes the bill of materials (CycloneDX, JSON) into FOLDER
#     scripts/supply-chain.sh FOLDER PROGRAM      # and looks at this program instead of target/release/duramen
#
# Packages are made of what is committed. cargo-deny and cargo-cyclonedx are installed into target/supply-chain if they are not there, which
# takes some four minutes on two cores. The figures stand on standard output, a line each; the script fails where one of them may not be.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

folder=${1:?scripts/supply-chain.sh FOLDER [PROGRAM]}
program=${2:-target/release/duramen}
[ $# -lt 2 ] || [ -f "$program" ] || fail "$program: there is no such program"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
tools=$PWD/target/supply-chain
PATH=$tools/bin:$PATH

# Fixed versions: a newer one may ask for other things, and the bill of materials would change with it.
have() {
    local tool=$1 version=$2 subcommand=${1#cargo-}
    [ "$("$tool" "$subcommand" --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)" != "$version" ] || return 0
    say "installing $tool $version"
    CARGO_TARGET_DIR=$tools/build cargo install --quiet "$tool" --version "=$version" --locked --root "$tools" >&2
    rm -rf "$tools/build"
}
have cargo-deny 0.20.2
have cargo-cyclonedx 0.5.9

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
# A line of the table; a third word says that this may not be.
figure() {
    printf '%-44s %s\n' "$1" "$2"
    if [ $# -gt 2 ]; then status=1; fi
}

# What deny.toml allows; every package of the workspace with all features.
deny() { cargo deny --locked --workspace "$@" >"$work/deny.log" 2>&1; }
for check in licenses bans sources; do
    if deny check "$check"; then
        figure "$check" passed
    else
        cat "$work/deny.log" >&2
        figure "$check" "FAILED, see above" x
    fi
    if [ "$check" = bans ]; then
        figure "crates in more than one version" "$(grep -c '^warning\[duplicate\]' "$work/deny.log" || true)"
    fi
done
if ! deny fetch db; then
    figure advisories "NOT CHECKED: the database cannot be reached"
elif deny check --disable-fetch advisories; then
    figure advisories passed
else
    cat "$work/deny.log" >&2
    figure advisories "FAILED, see above" x
fi

# The manifests of all crates of others that Cargo.lock has, for any platform. Cargo has written those of published crates in a form of its own,
# in which `rust-version` stands on a line.
cargo metadata --quiet --locked --all-features --format-version 1 | grep -oE '"manifest_path":"[^"]+"' | cut -d '"' -f 4 |
    grep -vxF -e "$PWD/Cargo.toml" -e "$PWD/layout-blitz/Cargo.toml" -e "$PWD/python/Cargo.toml" -e "$PWD/wasm/Cargo.toml" >"$work/others"
figure "crates of others in Cargo.lock" "$(wc -l <"$work/others")"

# What a crate states it needs; whether it is enough only a build tells.
while read -r manifest; do
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$manifest" | head -n 1)
    if [ -n "$version" ]; then
        crate=${manifest%/Cargo.toml}
        printf '%s %s\n' "$version" "${crate##*/}"
    fi
done <"$work/others" | sort -V >"$work/rust-versions"
read -r highest crate < <(tail -n 1 "$work/rust-versions")
figure "Rust that Cargo.toml states" "$needed_rust"
# 1.91 and 1.91.0 are the same.
if [ "$(printf '%s\n' "${highest%.0}" "${needed_rust%.0}" | sort -V | tail -n 1)" = "${needed_rust%.0}" ]; then
    figure "newest Rust that a dependency states" "$highest ($crate)"
else
    figure "newest Rust that a dependency states" "$highest ($crate): NEWER THAN OURS" x
fi
oldest=$(rustup toolchain list 2>/dev/null | grep -oE "^${needed_rust//./\\.}(\.[0-9]+)?-[^ ]+" | head -n 1 || true)
if [ -z "$oldest" ]; then
    figure "built with Rust $needed_rust" "NOT CHECKED: rustup has no such toolchain"
elif CARGO_TARGET_DIR=$tools/oldest rustup run "$oldest" cargo check --quiet --locked --workspace >&2; then
    figure "built with Rust $needed_rust" yes
else
    figure "built with Rust $needed_rust" "NO, see above" x
fi

# For each line that holds the word `unsafe` outside of comments the name of its file. It is a count of files and lines that hold the word, and
# nothing finer: a line may be for another platform or a feature that is off, or the word may stand in a string, and how much a line does is not seen.
lines_with_unsafe() {
    LC_ALL=C xargs -0 -r awk '
        FNR == 1 { in_comment = 0 }
        {
            line = $0
            if (in_comment && !sub(/^.*\*\//, "", line)) next
            in_comment = 0
            gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
            sub(/\/\/.*/, "", line)
            if (sub(/\/\*.*/, "", line)) in_comment = 1
            if (line ~ /(^|[^A-Za-z0-9_-])unsafe([^A-Za-z0-9_-]|$)/) print FILENAME
        }'
}
ours=$(git ls-files -z '*.rs' | lines_with_unsafe | wc -l)
if [ "$ours" -eq 0 ]; then figure "lines of ours with the word unsafe" 0; else figure "lines of ours with the word unsafe" "$ours" x; fi

# The crates that are linked into the program, on this platform with default features.
cargo tree --quiet --locked --package duramen --edges normal,no-proc-macro --prefix none --format '{p}' |
    sed -n 's/^\([^ ]*\) v\([^ ]*\)\( (\*)\)\{0,1\}$/\1-\2/p' | sort -u >"$work/linked"
figure "crates of others in the program" "$(wc -l <"$work/linked")"
: >"$work/unsafe"
crates=0
while read -r manifest; do
    crate=${manifest%/Cargo.toml}
    grep -qxF "${crate##*/}" "$work/linked" || continue
    find "$crate" -name '*.rs' -not -name build.rs -not -path "$crate/tests/*" -not -path "$crate/benches/*" -not -path "$crate/examples/*" -print0 |
        lines_with_unsafe >"$work/lines"
    if [ -s "$work/lines" ]; then crates=$((crates + 1)); fi
    cat "$work/lines" >>"$work/unsafe"
done <"$work/others"
figure "of them with the word unsafe" "$crates ($(sort -u "$work/unsafe" | wc -l) files, $(wc -l <"$work/unsafe") lines)"

# The packages are made in two folders, one of which lets others read nothing: neither where they lie nor whose they are may get in.
made() {
    git clone --quiet . "$work/$1"
    (cd "$work/$1" && CARGO_TARGET_DIR=$work/$1/target cargo package --quiet --locked --workspace --no-verify >"$work/package.log" 2>&1) ||
        { cat "$work/package.log" >&2; fail "the packages cannot be made"; }
}
(umask 022 && made first)
(umask 077 && made another-folder)
[ -z "$(git status --porcelain)" ] || say "there are changes that are not committed; the packages are without them"
for package in "$work"/first/target/package/*.crate; do
    name=${package##*/}
    if cmp -s "$package" "$work/another-folder/target/package/$name"; then
        figure "$name, made twice" "the same $(wc -c <"$package") bytes"
    else
        figure "$name, made twice" "DIFFERS" x
    fi
done

# The bills of materials, of the program and of the module for Python, on this platform: what is linked, and what builds it; also some crates that
# no feature turns on, which Cargo's metadata does not leave out. With the time of the commit, and without the folder that they were made in, they
# are the same bytes wherever they are made.
billed() {
    (cd "$work/$1" && SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) cargo cyclonedx --quiet --format json --spec-version 1.5 --describe binaries \
        >"$work/bill.log" 2>&1) || { cat "$work/bill.log" >&2; fail "the bill of materials cannot be made"; }
    sed "s|path+file://$work/$1|path+file://.|g" "$work/$1/duramen_bin.cdx.json" >"$2/duramen.cdx.json"
    sed "s|path+file://$work/$1|path+file://.|g" "$work/$1/python/_duramen_cdylib.cdx.json" >"$2/duramen-python.cdx.json"
}
mkdir "$work/again"
billed first "$folder"
billed another-folder "$work/again"
for bill in duramen.cdx.json duramen-python.cdx.json; do
    crates=$(grep -o '"purl": *"pkg:cargo/[^?"]*"' "$folder/$bill" | sort -u | wc -l)
    if ! cmp -s "$folder/$bill" "$work/again/$bill"; then
        figure "$bill, made twice" "DIFFERS" x
    elif grep -qF "$work" "$folder/$bill"; then
        figure "$bill" "NAMES A FOLDER of this machine" x
    else
        figure "$bill, made twice" "the same $(wc -c <"$folder/$bill") bytes, $crates crates"
    fi
done

# A program without a fixed address has another at each start, which what attacks it must guess. `DYN` is how ELF calls it.
if [ ! -f "$program" ]; then
    figure "position-independent program" "NOT CHECKED: no ${program##*/} in ${program%/*}"
elif ! header=$(LC_ALL=C readelf -h "$program" 2>/dev/null); then
    figure "position-independent program" "NOT CHECKED: ${program##*/} is no ELF file, or there is no readelf"
elif grep -qE '^ *Type: +DYN' <<<"$header"; then
    figure "position-independent program" yes
else
    figure "position-independent program" "NO: $(sed -n 's/^ *Type: *//p' <<<"$header")" x
fi
exit "$status"
