#!/usr/bin/env python3
"""F1 by language and by type of page, of a run of this experiment.

    duramen run experiments/across-corpora --data-dir data -o results/across-corpora
    python3 experiments/across-corpora/by_group.py results/across-corpora data

Languages are those that corpora state for their pages, of the corpora left out in turn and of the four that never train (English
where nothing is stated: CleanPortalEval, CleanEval, L3S-GN1, Big9 and WCXB are all but English). Types are those of WCXB dev. Groups of fewer
than ten pages are left out. Prints Markdown.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

LEAST = 10
# The folder of each corpus's index; a corpus that is not here has none.
INDEXED = [
    "dragnet",
    "waddle",
    "krdwrd-canola",
    "fundus",
    "wwwxmu",
    "postlight",
    "site-rules",
    "newspaper3k",
    "omnivore",
    "llm-webkit",
    "schema-org",
]


def table(title: str, groups: dict, systems: list) -> None:
    print(f"\n| {title} | pages | " + " | ".join(systems) + " |")
    print("|---|---:|" + "---:|" * len(systems))
    for group, scores in sorted(groups.items(), key=lambda item: -len(item[1][systems[0]])):
        pages = len(scores[systems[0]])
        if pages >= LEAST:
            means = [sum(scores[system]) / max(len(scores[system]), 1) for system in systems]
            print(f"| {group} | {pages} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")


def main(results: Path, data: Path) -> None:
    lines = results / "pages/results.jsonl"
    if not lines.is_file():
        sys.exit(f"{lines}: not there; run the experiment first")
    languages = {}
    for corpus in INDEXED:
        index = data / corpus / corpus / "pages.jsonl"
        if not index.is_file():
            sys.exit(f"{index}: not there; fetch the corpus with `duramen data fetch {corpus} --data-dir {data}`")
        for line in index.open():
            page = json.loads(line)
            languages[corpus, page["id"]] = page.get("language") or "not stated"
    golds = data / "wcxb/dev/wcxb/dev/ground-truth"
    if not golds.is_dir():
        sys.exit(f"{golds}: not there; fetch the corpus with `duramen data fetch wcxb/dev --data-dir {data}`")
    by_language = defaultdict(lambda: defaultdict(list))
    by_type = defaultdict(lambda: defaultdict(list))
    types = {}
    systems = []
    for line in lines.open():
        result = json.loads(line)
        system, split, page = result["system"], result["split"], result["page"]
        if system not in systems:
            systems.append(system)
        texts = result["scores"].get("texts", {})
        score = next((texts[gold]["words_and_characters"]["f1"] for gold in ("text", "article") if gold in texts), None)
        if score is None:
            continue
        by_language[languages.get((split, page), "en")][system].append(score)
        if split == "wcxb":
            if page not in types:
                types[page] = json.loads((golds / f"{page}.json").read_text())["_internal"]["page_type"]["primary"]
            by_type[types[page]][system].append(score)
    table("language", by_language, systems)
    table("type of page, WCXB dev", by_type, systems)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
