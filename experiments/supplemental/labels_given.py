"""Which labels each system gives the tokens that L3S-GN1 labels supplemental.

python experiments/supplemental/labels_given.py results/supplemental
"""

import collections
import json
import pathlib
import sys

LABELS = ["not-content", "headline", "full-text", "supplemental", "related-content", "comments"]

given = collections.defaultdict(collections.Counter)
for line in pathlib.Path(sys.argv[1], "pages", "results.jsonl").open():
    result = json.loads(line)
    if result["split"] == "l3s-gn1" and result["status"] == "ok":
        tokens = result["scores"]["tokens"][LABELS.index("supplemental")]
        given[result["system"]].update(dict(zip(LABELS, tokens)))
for system, tokens in given.items():
    print(system, dict(tokens), "all", tokens.total())
