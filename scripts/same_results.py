#!/usr/bin/env python3
"""What this machine extracts from pages and learns from generated ones, to be compared with another machine (scripts/aarch64.sh).

    python scripts/same_results.py FILE [FOLDER ...]

FILE gets a line for each page of this repository and of those below each FOLDER, and one for each model trained.
"""

import gzip
import json
import platform
import sys
from pathlib import Path

import duramen

root = Path(__file__).resolve().parent.parent
folders = [root / "tests/pages", root / "examples/pages", *map(Path, sys.argv[2:])]
pages = sorted(page for folder in folders for page in folder.rglob("*.html*"))
with open(sys.argv[1], "w", encoding="utf-8") as lines:
    for page in pages:
        content = page.read_bytes()
        try:
            made = duramen.extract(gzip.decompress(content) if page.suffix == ".gz" else content, output_format="json")
        except duramen.DuramenError as error:
            made = str(error)
        print(json.dumps([page.name, made]), file=lines)
    corpus = duramen.Corpus.synthetic(sites=12, pages_per_site=5)
    for config in ["blocks", "boosted"]:
        print(json.dumps([config, duramen.Model.train(corpus, config=config).sha256]), file=lines)
print(f"{platform.machine()}: {len(pages)} pages, 2 models")
