"""Pages that five generators of sites make from sources of ours: what is left of their text, code, formulas and tables.

    experiments/structure/build.sh target/structure
    DURAMEN_PROGRAM=target/debug/duramen python -m pytest tests/structure
"""

import csv
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("DURAMEN_PROGRAM", "target/debug/duramen")
# A hundredth below results/structure.
FLOORS = {"text edit": 0.972, "code edit": 0.979, "formula edit": 0.935, "table edit": 0.988, "TEDS": 0.989}


@pytest.fixture(scope="module")
def means(tmp_path_factory) -> dict[str, str]:
    out = tmp_path_factory.mktemp("structure") / "out"
    command = [PROGRAM, "evaluate", "--dataset", "experiments/structure/pages.toml", "--extractor", "hmt", "-d", str(out)]
    for metric in FLOORS:
        command += ["--metrics", metric.lower().replace(" ", "-")]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert "pages: 60 pages, 0 left out" in done.stderr
    with open(out / "tables" / "all-pages-text-text.csv", newline="") as table:
        [row] = csv.DictReader(table)
    return row


@pytest.mark.parametrize("metric", FLOORS)
def test_similarity_of_markdown_to_its_source(means, metric):
    assert FLOORS[metric] <= float(means[metric]) <= 1
