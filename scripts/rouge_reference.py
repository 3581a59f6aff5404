"""Writes tests/references/rouge_lsum.json: ROUGE-LSum of texts of ours by Google's rouge-score package.

    python3 -m venv target/rouge && target/rouge/bin/pip install rouge-score==0.1.2
    target/rouge/bin/python scripts/rouge_reference.py

Run again only when the cases change; the test reads the file.
"""

import json
import pathlib
import random

from rouge_score import rouge_scorer

# Predicted and reference text.
CASES = [
    ("", ""),
    ("", "the old tree"),
    ("the old tree", ""),
    ("\n\n", "the old tree"),
    ("... -- !", "the old tree"),
    ("the old tree", "the old tree"),
    ("The OLD Tree.", "the old, tree!"),
    ("the old tree fell", "the tree fell last night"),
    ("fell tree old the", "the old tree fell"),
    ("the old tree\nfell last night", "the old tree fell last night"),
    ("the old tree fell last night", "the old tree\nfell last night"),
    ("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5"),
    ("a b c d\na c b d\nd c b a", "a b c d\nb a d c"),
    ("a b a b a b", "b a b a b a"),
    ("b a", "a b"),
    ("a b\nb a", "a b a"),
    ("oak oak oak oak", "oak"),
    ("oak", "oak oak oak oak"),
    ("oak\noak\noak", "oak oak\noak oak"),
    ("oak ash elm\noak ash elm", "oak ash elm"),
    ("oak ash elm", "oak ash elm\noak ash elm\noak ash elm"),
    ("don't e-mail us", "dont email us"),
    ("don't e-mail us", "don t e mail us"),
    ("na\u00efve caf\u00e9", "naive cafe"),
    ("na\u00efve caf\u00e9", "na\u00efve caf\u00e9"),
    ("\u0434\u0435\u0440\u0435\u0432\u043e", "\u0434\u0435\u0440\u0435\u0432\u043e"),
    ("\u6771\u4eac 2026", "\u6771\u4eac\u306e\u6728 2026"),
    ("\u0130stanbul \u212a2", "i stanbul k2"),
    ("\u03a3\u03a3 x", "x \u03c3\u03c2"),
    ("x_y 3.14 1,000", "x y 3 14 1 000"),
    ("tabs\tand\r\nreturns\x0band more", "tabs and\nreturns and more"),
    ("line\u2028separator\u0085kept", "line separator kept"),
    ("  spaces  \n \n  between  ", "spaces\nbetween"),
    ("\n".join("one two three".split()), "one two three"),
    ("one two three", "\n".join("one two three".split())),
    ("menu home news\nThe heart of a tree is dead wood.\nshare print", "The heart of a tree is dead wood."),
    ("The heart of a tree", "Heartwood\nThe heart of a tree is dead wood.\nIt does not rot."),
    ("0 1 2 3 4 5 6 7 8 9", "9 8 7 6 5 4 3 2 1 0"),
]


def drawn(seed, lines, length, words):
    """Lines of words drawn from a small vocabulary, so that ties are many."""
    source = random.Random(seed)
    return "\n".join(
        " ".join(f"w{source.randrange(words)}" for _ in range(source.randint(0, length)))
        for _ in range(lines)
    )


CASES += [
    (drawn(1, 5, 12, 4), drawn(2, 5, 12, 4)),
    (drawn(3, 20, 8, 6), drawn(4, 15, 10, 6)),
    (drawn(5, 40, 20, 30), drawn(6, 40, 20, 30)),
    (drawn(7, 60, 30, 400), drawn(8, 30, 60, 400)),
    (drawn(9, 1, 800, 5), drawn(10, 1, 900, 5)),
    (drawn(11, 1, 900, 200), drawn(12, 50, 25, 200)),
    (drawn(13, 80, 6, 3), drawn(14, 1, 600, 3)),
    (drawn(15, 30, 15, 2), drawn(16, 30, 15, 2)),
]


def main():
    scorer = rouge_scorer.RougeScorer(["rougeLsum"])
    cases = []
    for predicted, reference in CASES:
        score = scorer.score(target=reference, prediction=predicted)["rougeLsum"]
        cases.append({
            "predicted": predicted,
            "reference": reference,
            "precision": float(score.precision),
            "recall": float(score.recall),
            "f1": float(score.fmeasure),
        })
    path = pathlib.Path(__file__).parent.parent / "tests/references/rouge_lsum.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"by": "rouge-score 0.1.2, rougeLsum, no stemmer", "cases": cases}, indent=1) + "\n")
    print(f"{path.name}: {len(cases)} cases")


main()
