#!/usr/bin/env python3
"""F1 by language, of a run of this experiment.

    duramen run experiments/across-corpora --data-dir data -o results/across-corpora
    python3 experiments/across-corpora/by_language.py results/across-corpora data

Languages are those that corpora state for their pages, of the corpora left out in turn and of those that never train (English
where nothing is stated: CleanPortalEval, CleanEval, L3S-GN1, Big9, WCXB, WEB-FORUM-52 and Blocks 152 are all but English). Languages of fewer
than ten pages are left out. Prints Markdown.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

LEAST = 10
# The corpora whose index states languages.
INDEXED = [
    "read",
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
    by_language = defaultdict(lambda: defaultdict(list))
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
    table("language", by_language, systems)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
