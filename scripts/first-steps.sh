#!/usr/bin/env bash
# What a newcomer does first, as README.md and docs/GUIDE.md say it: installs Duramen in four ways, and runs the examples with what was installed.
# The commands are read from these documents.
#
#     scripts/first-steps.sh
#
# The package for Python is built with the profile of tests. The program that is installed has other features than that of the tests, so that nearly all
# is built anew: only Duramen itself is optimised. Python and Node are left out where they are missing, but never where CI is "true".
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh
root=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
page=examples/pages/lighthouse.html

left_out() {
    [ "${CI:-}" != true ] || fail "$1 cannot be installed; without it not all steps can be taken"
    echo "left out: $2 (needs $1)"
}
# The first block of a language in a file that holds these words.
block() {
    awk -v fence="\`\`\`$2" -v words="$3" '
        $0 == fence { inside = 1; text = ""; next }
        /^```/ && inside { inside = 0; if (index(text, words)) { printf "%s", text; exit } }
        inside { text = text $0 "\n" }' "$1"
}
# Gives a command of GUIDE's section Install, found by its beginning, in the present folder; what stands behind it is added.
take() {
    local line
    line=$(awk '/^## / { here = $0 == "## Install" } here' "$root/docs/GUIDE.md" | grep "^$1" | sed 's/ *#.*//') ||
        fail "docs/GUIDE.md: section Install has no command '$1'"
    shift
    say "$line $*"
    eval "$line $*" >&2
}
# But for empty lines at the end, which printing adds.
same() { [ "$(cat "$1")" = "$(cat "$2")" ] || { diff "$1" "$2" | head -n 20 >&2; fail "$3 gives another text than the program"; }; }

export CARGO_INSTALL_ROOT=$place/cargo
CARGO_PROFILE_DEV_OPT_LEVEL=0 take "cargo install" --debug --quiet --config profile.dev.package.duramen.opt-level=1
program=$place/cargo/bin/duramen
(cd "$place" && "$program" extract "$root/$page") >"$place/text"
grep -q '112 steps' "$place/text" || fail "the program does not extract"

DURAMEN_PROGRAM=$program take "scripts/packages.sh"
mkdir "$place/archive"
tar -C "$place/archive" -xzf target/packages/duramen-*.tar.gz
"$place"/archive/duramen-*/duramen extract "$page" >"$place/of-archive"
same "$place/of-archive" "$place/text" "the archive"

if python_makes_environments && python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    python3 -m venv "$place/python"
    (
        PATH=$place/python/bin:$PATH
        export MATURIN_PEP517_ARGS="--locked --profile dev"
        take "pip install" --quiet --disable-pip-version-check
    )
    say "the example of README.md in Python"
    mkdir "$place/in-python"
    cp "$page" "$place/in-python/page.html"
    block README.md python "import duramen" >"$place/in-python/example.py"
    (cd "$place/in-python" && "$place/python/bin/python" -I example.py) >"$place/printed"
    # The title and the confidence, then the text.
    head -n 1 "$place/printed" | grep -Eq '^Harbour lighthouse .* 0\.9' || fail "Python prints $(head -n 1 "$place/printed")"
    tail -n +2 "$place/printed" >"$place/of-python"
    same "$place/of-python" "$place/text" "Python"
else
    left_out "Python 3.11 with venv" "the first steps in Python"
fi

take "scripts/wasm.sh --build"
if [ -d target/wasm/package ] && { command -v npm >/dev/null || install_packages nodejs npm; }; then
    mkdir "$place/application"
    ln -s "$root" "$place/duramen"
    cp "$page" "$place/application/page.html"
    block docs/GUIDE.md js "from \"duramen\"" >"$place/application/example.mjs"
    (cd "$place/application" && take "npm install" --silent --no-audit --no-fund)
    say "the example of docs/GUIDE.md in Node"
    (cd "$place/application" && node example.mjs) >"$place/printed"
    head -n 1 "$place/printed" | grep -Eq '^Harbour lighthouse .* 0\.9' || fail "Node prints $(head -n 1 "$place/printed")"
    tail -n +2 "$place/printed" >"$place/of-node"
    "$program" extract --markdown --links "$page" >"$place/markdown"
    same "$place/of-node" "$place/markdown" "Node"
else
    left_out Node "the first steps in Node"
fi

say "every example of README.md and docs/GUIDE.md with the installed program"
DURAMEN_PROGRAM=$program cargo test --quiet --locked --workspace --exclude duramen-python --test program documented_commands
say "all first steps can be taken"
