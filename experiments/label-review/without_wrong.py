#!/usr/bin/env python3
"""F1 of words with and without the pages whose labels were found wrong, of a run of this experiment.

    duramen run experiments/label-review --data-dir data
    python3 experiments/label-review/without_wrong.py results/label-review

Prints Markdown. A page is left out if its verdict in verdicts/SPLIT.csv is `wrong`.
"""

import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

VERDICTS = Path(__file__).parent / "verdicts"


def main(results: Path) -> None:
    lines = results / "pages/results.jsonl"
    if not lines.is_file():
        sys.exit(f"{lines}: not there; run the experiment first")
    # {split: {system: {page: F1}}}
    scores = defaultdict(lambda: defaultdict(dict))
    for line in lines.open():
        result = json.loads(line)
        texts = result["scores"].get("texts", {})
        score = next((texts[gold]["words_and_characters"]["f1"] for gold in ("text", "article") if gold in texts), None)
        if score is not None:
            scores[result["split"]][result["system"]][result["page"]] = score
    systems = list(next(iter(scores.values())))
    print("| corpus | pages | " + " | ".join(systems) + " |")
    print("|---|---:|" + "---:|" * len(systems))
    for split, of_systems in scores.items():
        with (VERDICTS / f"{split}.csv").open() as verdicts:
            wrong = {row["page"] for row in csv.DictReader(verdicts) if row["verdict"] == "wrong"}
        rows = [(split, set())] + ([(f"{split}, without the wrong", wrong)] if wrong else [])
        for name, without in rows:
            kept = [{page: f1 for page, f1 in of_systems[system].items() if page not in without} for system in systems]
            means = [f"{sum(pages.values()) / len(pages):.4f}" for pages in kept]
            print(f"| {name} | {len(kept[0])} | " + " | ".join(means) + " |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
