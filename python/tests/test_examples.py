"""The examples that need other packages run, as a person runs them, and give the texts that the program does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import duramen
from duramen import Corpus


@pytest.fixture(scope="module")
def archive(run, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "made.warc.gz"
    run("data", "warc", "synth", "-o", path, "--max-pages", "60")
    return path


@pytest.fixture(scope="module")
def expected(run, archive) -> dict[str, str]:
    """The text of each page of the archive, by its record."""
    rows = [json.loads(line) for line in run("extract", "--output-format", "jsonl", archive).splitlines()]
    assert len(rows) == 60
    return {row["id"]: row["text"] for row in rows}


def example(name: str, *arguments: str | Path, cwd: Path) -> str:
    """Runs an example in a process of its own, and gives what it prints."""
    package = str(Path(duramen.__file__).parents[1])
    variables = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")])),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "RAY_USAGE_STATS_ENABLED": "0",
    }
    command = [sys.executable, str(ROOT / "examples" / name), *map(str, arguments)]
    done = subprocess.run(command, env=variables, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def texts(folder: Path) -> dict[str, str]:
    """The texts of a Parquet table, by record."""
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(folder, columns=["record_id", "text", "confidence", "status"])
    assert set(table["status"].to_pylist()) == {"ok"}
    assert all(0 < confidence <= 1 for confidence in table["confidence"].to_pylist())
    return dict(zip(table["record_id"].to_pylist(), table["text"].to_pylist(), strict=True))


def test_spark_cleans_a_crawl(archive, expected, tmp_path):
    pytest.importorskip("pyspark")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        if os.environ.get("CI") == "true":
            pytest.fail("there is no Java; Spark needs Java 17 or 21")
        pytest.skip("there is no Java; Spark needs Java 17 or 21")
    arguments = [archive, "-o", "texts", "--master", "local[2]", "--split-bytes", "40k"]
    told = example("spark/clean_crawl.py", *arguments, cwd=tmp_path)
    assert texts(tmp_path / "texts") == expected
    assert "60 pages, 0 damaged places; ok: 60" in told
    rows = re.findall(r"^ +\d\.\d\d \| +(\d+) \| +[\d.]+% \| *([\d.]*)$", told, re.MULTILINE)
    curve = [(int(kept), float(f1 or 1)) for kept, f1 in rows]
    assert len(curve) == 8 and curve[0][0] == 60
    # The more sure, the fewer, and the better.
    assert all(kept >= fewer and f1 <= better for (kept, f1), (fewer, better) in zip(curve, curve[1:], strict=False))


def test_ray_data_cleans_archives(archive, expected, tmp_path):
    pytest.importorskip("ray")
    pytest.importorskip("pyarrow")
    example("ray_data.py", archive, "-o", tmp_path / "texts", cwd=tmp_path)
    assert texts(tmp_path / "texts") == expected


def test_duckdb_extracts_in_sql(tmp_path):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    corpus = Corpus.synthetic(sites=1, pages_per_site=3)
    for i in range(3):
        (tmp_path / f"{i}.html").write_bytes(corpus.html(i))
    (tmp_path / "empty.html").write_bytes(b"")
    told = example("duckdb_udf.py", "*.html", cwd=tmp_path)
    rows = re.findall(r"│ (\w+\.html) *│ *(\w+) │ *([\w.]+) │", told)
    documents = [duramen.bare_extraction(corpus.html(i)) for i in range(3)]
    made = [(f"{i}.html", str(len(found.text)), str(round(found.confidence, 2))) for i, found in enumerate(documents)]
    assert rows == [*made, ("empty.html", "NULL", "NULL")]
