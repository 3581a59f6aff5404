"""Every example in the documentation runs."""

from __future__ import annotations

import doctest
import importlib
import inspect
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


MODULES = [
    "duramen",
    "duramen._batch",
    "duramen._document",
    "duramen._extract",
    "duramen._model",
    "duramen.outlier",
    "duramen.pandas",
    "duramen.sklearn",
    "duramen.warc",
]


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_run(module):
    imported = importlib.import_module(module)
    result = doctest.testmod(imported)
    assert result.attempted and not result.failed


@pytest.mark.parametrize("module", ["duramen", "duramen.outlier", "duramen.pandas", "duramen.sklearn", "duramen.spark", "duramen.warc"])
def test_every_function_and_class_has_an_example(module):
    imported = importlib.import_module(module)
    things = {name: getattr(imported, name) for name in imported.__all__}
    # Those of Rust have theirs in README; exceptions need none.
    ours = {
        name: thing
        for name, thing in things.items()
        if inspect.isfunction(thing) or inspect.isclass(thing) and hasattr(thing, "__dict__") and not issubclass(thing, Exception)
    }
    ours = {name: thing for name, thing in ours.items() if inspect.getmodule(thing).__file__.endswith(".py")}
    assert ours
    assert [name for name, thing in ours.items() if ">>>" not in (thing.__doc__ or "")] == []
