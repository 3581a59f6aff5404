#!/usr/bin/env bash
# Builds the documentation as a site with search, into target/site, and checks that none of its links is broken.
#
# Installs mdBook (some two minutes, once) and a Python environment for notebooks and formulas into target/; needs Python 3.11 or newer with venv.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh
tools=target/site-tools
mdbook_version=0.5.4

if [ "$("$tools/bin/mdbook" --version 2>/dev/null)" != "mdbook v$mdbook_version" ]; then
    say "installing mdBook $mdbook_version into $tools"
    # Little optimised: there are some hundred pages.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=1 cargo install mdbook --version "$mdbook_version" --locked --quiet --no-default-features --features search \
        --root "$tools" --target-dir "$tools/build"
    rm -rf "$tools/build"
fi

# nbconvert makes Markdown of notebooks, latex2mathml makes MathML of formulas: browsers show it without scripts or fonts.
packages="nbconvert==7.17.2 latex2mathml==3.81.1"
if [ "$(cat "$tools/installed.txt" 2>/dev/null)" != "$packages" ]; then
    say "installing $packages into $tools"
    python_makes_environments || fail "Python 3.11 or newer with venv is needed (Debian: python3-venv)"
    rm -rf "$tools/python"
    python3 -m venv "$tools/python"
    # shellcheck disable=SC2086
    "$tools/python/bin/python" -m pip install --quiet --disable-pip-version-check $packages
    echo "$packages" >"$tools/installed.txt"
fi

"$tools/python/bin/python" scripts/site.py stage target/site-source
rm -rf target/site
"$tools/bin/mdbook" build target/site-source --dest-dir "$PWD/target/site"
"$tools/python/bin/python" scripts/site.py check target/site
echo "the site is in target/site; open target/site/index.html"
