"""Writes tests/references/markdown_edits.json: edit similarities of Markdown of ours by the package webmainbench.

    python3 -m venv target/webmainbench
    target/webmainbench/bin/pip install --no-deps webmainbench==0.1.0
    target/webmainbench/bin/pip install rapidfuzz==3.14.6 beautifulsoup4==4.15.0 apted==1.0.3
    target/webmainbench/bin/python scripts/markdown_reference.py

Run again only when the cases change; the test reads the file. What the package imports beside these and does not need here (jieba, openai) is
made up for. TEDS is computed by apted on trees, with the costs of Zhong et al. 2020: the package hands it strings.
"""

import contextlib
import importlib.util
import io
import json
import pathlib
import sys
import types

for name, attribute in [("jieba", "lcut"), ("openai", "OpenAI")]:
    module = types.ModuleType(name)
    setattr(module, attribute, None)
    sys.modules[name] = module
# The package without what it loads at its start.
place = importlib.util.find_spec("webmainbench").submodule_search_locations[0]
for name in ["webmainbench", "webmainbench.metrics"]:
    module = types.ModuleType(name)
    module.__path__ = [str(pathlib.Path(place).parent.joinpath(*name.split(".")))]
    sys.modules[name] = module

from apted import APTED, Config
from bs4 import BeautifulSoup
from rapidfuzz.distance import Levenshtein
from webmainbench.metrics.formula_metrics import FormulaEditMetric
from webmainbench.metrics.table_metrics import TableEditMetric
from webmainbench.metrics.text_metrics import CodeEditMetric, TextEditMetric

TABLE = "| Tree | Height |\n| --- | ---: |\n| Oak | 31 m |\n| Ash | 25 m |\n"
HTML = "<table><tr><th>Tree</th><th>Height</th></tr><tr><td>Oak</td><td>31 m</td></tr><tr><td colspan=\"2\">none</td></tr></table>"
CODE = "Text.\n\n```sh\nls -l\ncd /\n```\n\nMore.\n\n```\nrm x\n```\n"

# Predicted and reference Markdown.
CASES = [
    ("# Oak\n\nIt fell.\n", "# Oak\n\nIt fell.\n"),
    ("# Oak\n\nIt fell.\n", "# Ash\n\nIt fell down.\n"),
    ("", "# Oak\n"),
    ("Größe 東京\n", "Groesse 東京\n"),
    (CODE, CODE.replace("ls -l", "ls")),
    (CODE, "Text.\n"),
    ("Text.\n\n    let a = 1;\n    let b = 2;\n\nMore.\n", "Text.\n\n```rust\nlet a = 1;\nlet b = 2;\n```\n"),
    ("Text.\n\n    - one\n    - two\n\n", "Text.\n"),
    ("```\nnever closed $x$\n", "```\nnever closed $y$\n"),
    ("It is $x^2$ and\n\n$$\ny = 1\n$$\n\nso \\(z\\) and \\[w\\].\n", "It is $x^3$ and\n\n$$\ny = 2\n$$\n\nso $z$ and $$w$$.\n"),
    ("A \\$5 and `$no$` and $a$.\n", "A \\$6 and $a$.\n"),
    ("$a$ costs $5", "$a$ costs 5"),
    (TABLE, TABLE.replace("31", "30")),
    (TABLE + "\nText.\n\n" + TABLE, TABLE),
    (HTML, TABLE),
    (HTML, HTML.replace("none", "no")),
    (TABLE, "No table | at all.\n"),
    ("a | b\n--- | ---\n1 | 2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
    (TABLE.replace("Ash", "Ash and elm"), TABLE.replace("| Ash | 25 m |\n", "")),
]


def similarity(metric, predicted, reference):
    """A metric of the package; None of what neither text has."""
    with contextlib.redirect_stdout(io.StringIO()):
        result = metric("reference", {"use_llm": False}).calculate(predicted, reference)
    return result.score if result.success else None


class Costs(Config):
    """Of Zhong et al.: 1 to insert and delete, cells of the same spans differ by their text."""

    def rename(self, a, b):
        if a.kind != b.kind:
            return 1.0
        longest = max(len(a.text), len(b.text))
        return Levenshtein.distance(a.text, b.text) / longest if longest else 0.0

    def children(self, node):
        return node.children


class Node:
    def __init__(self, kind, text="", children=()):
        self.kind, self.text, self.children = kind, text, list(children)

    def size(self):
        return 1 + sum(child.size() for child in self.children)


def tree(html):
    table = BeautifulSoup(html, "html.parser").find("table")
    rows = []
    for row in table.find_all("tr"):
        cells = [
            Node((cell.name, cell.get("colspan", "1"), cell.get("rowspan", "1")), " ".join(cell.get_text().split()))
            for cell in row.find_all(["td", "th"], recursive=False)
        ]
        rows.append(Node("tr", children=cells))
    return Node("table", children=rows)


def teds(a, b):
    a, b = tree(a), tree(b)
    return 1 - APTED(a, b, Costs()).compute_edit_distance() / max(a.size(), b.size())


TREES = [
    (HTML, HTML),
    (HTML, HTML.replace("none", "no")),
    (HTML, HTML.replace(' colspan="2"', "")),
    (HTML, HTML.replace("<tr><td>Oak</td><td>31 m</td></tr>", "")),
    (HTML.replace("<th>Tree</th>", ""), HTML),
    ("<table><tr><td>a</td></tr></table>", HTML),
    ("<table><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></tbody></table>", "<table><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr></table>"),
]


def main():
    metrics = {"text": TextEditMetric, "code": CodeEditMetric, "formula": FormulaEditMetric, "table": TableEditMetric}
    cases = [
        {
            "predicted": predicted,
            "reference": reference,
            **{name: similarity(metric, predicted, reference) for name, metric in metrics.items()},
        }
        for predicted, reference in CASES
    ]
    trees = [{"predicted": a, "reference": b, "teds": teds(a, b)} for a, b in TREES]
    path = pathlib.Path("tests/references/markdown_edits.json")
    path.write_text(json.dumps({"cases": cases, "trees": trees}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
