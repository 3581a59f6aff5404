#!/usr/bin/env bash
# Counts the instructions of each step of an extraction by callgrind, which no other work on the machine changes, and compares
# them, as ratios to html5ever's parse in the same run, with results/speed/instructions.csv.
#
#     scripts/instructions.sh             # fails where a step takes more than 5 % above what is written there
#     scripts/instructions.sh --update    # writes it
#     DURAMEN_PAGES=FOLDER scripts/instructions.sh    # of the pages (*.html) in a folder, and compares with nothing
#
# Needs valgrind, which it installs if that can be had without asking, and a processor with AVX2: the kernels choose their
# instructions by it. Takes some three minutes, most of them for a build of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh
table=results/speed/instructions.csv
tolerance=5

command -v valgrind >/dev/null || install_packages valgrind || fail "valgrind is needed; install it (Debian: valgrind)"
if [ -r /proc/cpuinfo ] && ! grep -qw avx2 /proc/cpuinfo; then
    say "left out: counts of instructions (need a processor with AVX2)"
    exit 0
fi

# Of the program that counts, names of functions are kept. Its path stands in what cargo says.
binary=$(cargo rustc --locked --release --no-default-features --bench instructions --message-format=json-render-diagnostics \
    -- -C strip=none | sed -n 's/.*"name":"instructions".*"executable":"\([^"]*\)".*/\1/p')
[ -x "$binary" ] || fail "the benchmark 'instructions' was not built"
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
RAYON_NUM_THREADS=1 valgrind --quiet --tool=callgrind --callgrind-out-file="$counts" "$binary"

# The inclusive cost of a call stands in the line after `calls=`; functions are named once and have numbers then.
awk '
    /^c?fn=/ {
        split(substr($0, index($0, "=") + 1), part, " ")
        if (match($0, /step_[a-z]+/)) name[part[1]] = substr($0, RSTART + 5, RLENGTH - 5)
        if ($0 ~ /^cfn=/) called = name[part[1]]
    }
    is_cost { if (called != "") sum[called] += $NF; is_cost = 0 }
    /^calls=/ { is_cost = 1 }
    END {
        n = split("baseline parse features inference rendering whole", steps, " ")
        print "step,instructions,beside html5ever"
        for (i = 1; i <= n; i++) {
            if (!(steps[i] in sum)) { print "no step " steps[i] > "/dev/stderr"; exit 1 }
            printf "%s,%d,%.4f\n", steps[i], sum[steps[i]], sum[steps[i]] / sum["baseline"]
        }
    }
' "$counts" >"$counts.csv"
cat "$counts.csv"
if [ -n "${DURAMEN_PAGES:-}" ]; then
    rm -f "$counts.csv"
    exit
fi
if [ "${1:-}" = --update ]; then
    mv "$counts.csv" "$table"
    exit
fi
awk -F , -v tolerance="$tolerance" '
    FNR == 1 { next }
    NR == FNR { known[$1] = $3; next }
    {
        change = 100 * ($3 / known[$1] - 1)
        if (change > tolerance) { printf "%s: %.1f %% more instructions than in the table\n", $1, change; worse = 1 }
        if (change < -tolerance) printf "%s: %.1f %% fewer; write that down: scripts/instructions.sh --update\n", $1, -change
    }
    END { exit worse }
' "$table" "$counts.csv"
rm -f "$counts.csv"
