#!/usr/bin/env bash
# Installs what is missing, builds Duramen, runs the quickstart experiment on pages that the program makes itself,
# extracts and explains one of them, and names the report. No data is downloaded.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/prerequisites.sh

out=results/quickstart
# Without the layout engines and Parquet, which nothing here needs and which take as long to build as all the rest.
say "building (some five minutes on two cores the first time)"
cargo build --profile quick --locked --package duramen --no-default-features --features cli,experiments,datasets
duramen="${CARGO_TARGET_DIR:-target}/quick/duramen"

say "running experiments/quickstart"
"$duramen" run experiments/quickstart --output-dir "$out" >/dev/null

say "extracting one page"
rm -rf "$out/example"
"$duramen" --quiet data synth --sites 1 --pages-per-site 1 --seed 3 --output-dir "$out/example" >/dev/null
page=$(find "$out/example" -path '*/original/*.html' | sort | head -n 1)
"$duramen" --quiet extract "$page" >"$out/example/page.txt"
"$duramen" --quiet explain "$page" --output "$out/example/page-explained.html"

printf '\nThe beginning of what was extracted from a made page (invented words on purpose):\n\n'
head -n 6 "$out/example/page.txt" | cut -c 1-110 | sed 's/^/    /'
printf '\nToken F1 with 95 %% intervals (made pages: real ones are in results/thesis):\n\n'
awk -F '|' '
    NR == 1 { for (i = 2; i < NF; i++) { name = $i; gsub(/ /, "", name); if (name ~ /^(system|main-text|content)$/) keep[i] } }
    NR != 2 { line = "    "; for (i = 2; i < NF; i++) if (i in keep) line = line $i; print line }
' "$out/tables/folds-token.md"
printf '\nReport:             %s\n' "$PWD/$out/report.html"
printf 'One page explained: %s\n' "$PWD/$out/example/page-explained.html"

# Somebody is looking: show the report.
if [ -t 1 ] && [ -z "${CI:-}" ]; then
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
        xdg-open "$out/report.html" >/dev/null 2>&1 &
    elif [ "$(uname)" = Darwin ]; then
        open "$out/report.html"
    fi
fi
