#!/usr/bin/env python3
"""F1 of words on WCXB dev by kind of page, of a run of this experiment.

    duramen run experiments/boosted --data-dir data -o results/boosted
    python3 experiments/boosted/by_page_type.py results/boosted data

Prints for each kind its pages, mean F1 and share of all lost F1, and the mean over all pages of the corpus, those left out of the
run counted as 0. Kinds are those that the corpus states for its pages.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path


def main(results: Path, data: Path) -> None:
    golds = data / "wcxb/dev/wcxb/dev/ground-truth"
    if not golds.is_dir():
        sys.exit(f"{golds}: not there; fetch the corpus with `duramen data fetch wcxb/dev --data-dir {data}`")
    lines = results / "pages/results.jsonl"
    if not lines.is_file():
        sys.exit(f"{lines}: not there; run the experiment first")
    kinds = defaultdict(list)
    for line in lines.open():
        page = json.loads(line)
        if (page["split"], page["system"]) == ("wcxb", "boosted"):
            gold = json.loads((golds / f"{page['page']}.json").read_text())
            kind = gold["_internal"]["page_type"]["primary"]
            kinds[kind].append(page["scores"]["texts"]["text"]["words"]["f1"])
    scores = [f1 for of_kind in kinds.values() for f1 in of_kind]
    if not scores:
        sys.exit(f"{lines}: no pages of split wcxb and system boosted")
    lost = sum(1 - f1 for f1 in scores)
    print("| kind | pages | F1 | share of lost F1 |")
    print("|---|---:|---:|---:|")
    for kind, of_kind in sorted(kinds.items(), key=lambda item: -sum(item[1]) / len(item[1])):
        mean = sum(of_kind) / len(of_kind)
        print(f"| {kind} | {len(of_kind)} | {mean:.3f} | {sum(1 - f1 for f1 in of_kind) / lost:.3f} |")
    whole = len(list(golds.glob("*.json")))
    print(f"\n{len(scores)} pages: {sum(scores) / len(scores):.3f}; all {whole}: {sum(scores) / whole:.3f}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
