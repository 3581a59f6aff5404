#!/usr/bin/env bash
# Builds the pages of experiments/structure: the sources, each by five generators, as a corpus in a folder.
#
#     experiments/structure/build.sh FOLDER
#
# Needs Python 3.11 with venv, Node and npm. What it installs goes below FOLDER.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
[ -x python/bin/python ] || python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
rm -rf html text work
mkdir -p html text work

for dialect in material readthedocs furo pandoc vitepress; do
    python/bin/python "$here/dialects.py" "$dialect" "$here/sources" "work/$dialect/docs"
done

for theme in material readthedocs; do
    printf '# Notes of a workshop\n\nAll pages are in the menu.\n' >"work/$theme/docs/index.md"
    cp "$here/$theme.yml" "work/$theme/mkdocs.yml"
    python/bin/mkdocs build --quiet --strict -f "work/$theme/mkdocs.yml" -d "$PWD/work/$theme/site"
done

cp "$here/conf.py" work/furo/docs/
{
    printf '# Notes of a workshop\n\n:::{toctree}\n'
    (cd work/furo/docs && ls ./*.md | sed 's|^\./||; s|\.md$||' | grep -v '^index$')
    printf ':::\n'
} >work/furo/docs/index.md
python/bin/sphinx-build --quiet -W -b html work/furo/docs work/furo/site

mkdir -p work/pandoc/site
for source in work/pandoc/docs/*.md; do
    name=$(basename "$source" .md)
    python/bin/python - "$source" "work/pandoc/site/$name.html" <<'PYTHON'
import sys

import pypandoc

pypandoc.convert_file(
    sys.argv[1], "html5", format="gfm+footnotes+definition_lists+tex_math_dollars", outputfile=sys.argv[2],
    extra_args=["--standalone", "--mathml", "--toc", "--metadata", "pagetitle=Notes of a workshop"],
)
PYTHON
done

cp "$here/package.json" "$here/package-lock.json" work/vitepress/
mkdir -p work/vitepress/docs/.vitepress
cp "$here/vitepress.mjs" work/vitepress/docs/.vitepress/config.mjs
printf '# Notes of a workshop\n' >work/vitepress/docs/index.md
(cd work/vitepress && npm ci --silent --no-audit --no-fund && npx vitepress build docs >build.log 2>&1) ||
    { tail -n 20 work/vitepress/build.log >&2 || true; exit 1; }

put() { # NAME PAGE SOURCE
    cp "$2" "html/$1.html"
    cp "$3" "text/$1.txt"
}
for source in "$here"/sources/*.md; do
    name=$(basename "$source" .md)
    put "material-$name" "work/material/site/$name/index.html" "$source"
    put "readthedocs-$name" "work/readthedocs/site/$name/index.html" "$source"
    put "furo-$name" "work/furo/site/$name.html" "$source"
    put "pandoc-$name" "work/pandoc/site/$name.html" "$source"
    put "vitepress-$name" "work/vitepress/docs/.vitepress/dist/$name.html" "$source"
done
ls html | wc -l
