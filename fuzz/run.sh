#!/usr/bin/env bash
# Fuzzes what reads foreign bytes: fuzz/run.sh RUNS [TARGET ...]; all targets but css without names, two at once.
#
# RUNS is the number of executions of each target, or their time, as 600s. The seed is fixed, so that from an empty FUZZ_DIR equal sources
# give equal executions. There the inputs that reached something new are kept, and a second run begins with them. A line for each target,
# with executions, seconds, inputs kept and the number of files in FUZZ_DIR/found, goes to the end of FUZZ_DIR/runs.csv too.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

runs=${1:?fuzz/run.sh RUNS [TARGET ...]}
shift
case $runs in
    *s) limit=-max_total_time=${runs%s} ;;
    *) limit=-runs=$runs ;;
esac
place=${FUZZ_DIR:-target/fuzz}
mkdir -p "$place"
place=$(cd "$place" && pwd)
PATH=$place/tools/bin:$PATH
command -v cargo-fuzz >/dev/null || { say "installing cargo-fuzz"; CARGO_TARGET_DIR=$place/tools/build cargo install -q cargo-fuzz --version "^0.13" --locked --root "$place/tools"; }

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cargo fuzz list | grep -v '^css$')
features=()
[[ " ${targets[*]} " == *" css "* ]] && features=(--features layout)
# Without a sanitizer: there is no unsafe code of ours, and the stable compiler has none.
fuzz=(-s none --fuzz-dir fuzz --target-dir "$place/build" ${features[@]+"${features[@]}"})
for target in "${targets[@]}"; do cargo fuzz build "${fuzz[@]}" "$target"; done

one() {
    local target=$1 inputs=("$place/inputs/$1") seeds words seed executions start=$SECONDS
    mkdir -p "$place/inputs/$target" "$place/found/$target"
    seeds=(fuzz/seeds/"$target" fuzz/found/"$target")
    case $target in
        page | tokenizer | markdown | answers) seeds+=(tests/pages) ;;
        manifest) seeds+=(datasets) ;;
        experiment) seeds+=(experiments) ;;
    esac
    for seed in "${seeds[@]}"; do if [ -d "$seed" ]; then inputs+=("$seed"); fi; done
    words=()
    case $target in page | tokenizer | markdown) words=(-dict=fuzz/html.dict) ;; esac
    # No longer than a page needs to show everything; 10 s and 2 GB are the bounds of one execution.
    if ! cargo fuzz run "${fuzz[@]}" "$target" "${inputs[@]}" -- "$limit" -seed=1 -max_len=4096 -timeout=10 \
        -rss_limit_mb=2048 -print_final_stats=1 ${words[@]+"${words[@]}"} -artifact_prefix="$place/found/$target/" >"$place/$target.log" 2>&1; then
        echo "$target" >>"$place/failed"
    fi
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$place/$target.log")
    printf '%s,%s,%s,%s,%s,%s\n' "$version" "$target" "$executions" "$((SECONDS - start))" "$(ls "$place/inputs/$target" | wc -l)" \
        "$(ls "$place/found/$target" | wc -l)" | tee -a "$place/runs.csv"
}
rm -f "$place/failed"
version=$(git rev-parse --short=8 HEAD)
header=commit,target,executions,seconds,inputs,found
[ -e "$place/runs.csv" ] || echo $header >"$place/runs.csv"
echo $header
for target in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
    one "$target" &
done
wait
if [ -e "$place/failed" ]; then
    for target in $(cat "$place/failed"); do tail -n 20 "$place/$target.log" >&2; done
    fail "found something: $(tr '\n' ' ' <"$place/failed")"
fi
