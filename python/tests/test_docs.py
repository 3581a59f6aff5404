"""Every example in the documentation runs."""

from __future__ import annotations

import doctest
import importlib
import re

import pytest
from conftest import ARTICLE, ROOT

PAGES = ["README.md", "python/README.md", "docs/PYTHON.md"]


def examples():
    for name in PAGES:
        for code in re.finditer(r"^```python\n(.*?)^```", (ROOT / name).read_text(), re.MULTILINE | re.DOTALL):
            line = (ROOT / name).read_text()[: code.start()].count("\n") + 1
            yield pytest.param(code[1], id=f"{name}:{line}")


@pytest.mark.parametrize("code", list(examples()))
def test_examples_run(code, tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text(ARTICLE)
    monkeypatch.chdir(tmp_path)
    found: dict[str, object] = {}
    exec(compile(code, "example", "exec"), found)
    if "text" in found and "Model" not in found and isinstance(found["text"], str):
        assert "Nobody was hurt" in found["text"]
    if "title" in found:
        assert found["title"] == "The old oak fell" or str(found["title"]).startswith("The old oak fell")


@pytest.mark.parametrize("module", ["duramen", "duramen._extract"])
def test_docstrings_run(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted and not result.failed
