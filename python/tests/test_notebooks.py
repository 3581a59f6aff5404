"""The notebooks in `notebooks/` run from nothing on synthetic pages, and their committed outputs are those of their code.

As a program it runs them and writes their outputs anew:

    python tests/test_notebooks.py          all of them
    python tests/test_notebooks.py 1 3      some
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
import re
import shutil
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).parents[2] / "notebooks"
#: The notebooks, with what each must have found to be true in its last cell, `checks`.
NOTEBOOKS: dict[str, tuple[str, ...]] = {
    "1_five_minutes": (
        "the story is found, and the menu is not",
        "probabilities of a block add up to 1",
        "the reasons add up to the total",
        "the surest half is better than all pages",
        "pages below min_confidence have no text",
    ),
    "2_the_thesis": (
        "no site is in two folds",
        "every model is better than keeping everything",
        "F1 counted here is that of Model.score",
        "the same seed gives the same chains",
    ),
    "3_samplers": (
        "drawing all states at once is closer to the exact posterior than one by one",
        "its averages are about as good as independent draws",
        "drawing all states at once mixes better than one by one",
        "the acceptance of the collapsed block is low",
    ),
    "4_your_own_corpus": (
        "the three ways to label agree",
        "the folder is read back whole",
        "no site is in two folds",
        "counts of parts are the counts of the whole",
        "recalibration moves towards the references",
    ),
    "5_a_million_pages": (
        "every page of the archives is a row",
        "Spark writes what the reader and extract_batch give",
        "the surest half is better than all pages",
        "min_confidence keeps the pages at or above it",
    ),
}
NEED_JAVA = ("5_a_million_pages",)
#: Seconds for a cell. A notebook takes less than two minutes on two idle cores.
TIMEOUT = 240
#: Bytes of a notebook with its pictures.
LARGEST = 400_000


def read(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def digest(notebook: Any) -> str:
    """The SHA-256 of the code: what outputs are of."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return hashlib.sha256(json.dumps(code).encode()).hexdigest()


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def pictures(notebook: Any) -> list[bytes]:
    """The PNG files among the outputs."""
    found = [output.data["image/png"] for output in outputs(notebook) if "image/png" in output.get("data", {})]
    return [base64.b64decode(picture) for picture in found]


def complaints(notebook: Any) -> str:
    """What was written to standard error."""
    return "".join(output.text for output in outputs(notebook) if output.get("name") == "stderr")


def texts(notebook: Any) -> str:
    """All text of the outputs."""
    parts = []
    for output in outputs(notebook):
        parts.append(output.get("text", ""))
        parts += [str(data) for kind, data in output.get("data", {}).items() if not kind.startswith("image/")]
    return "\n".join(parts)


def tells(cell: Any) -> str:
    """What a cell printed and gave, as plain text."""
    parts = [output.get("text", "") for output in cell.outputs if output.get("name") != "stderr"]
    parts += [output.data.get("text/plain", "") for output in cell.outputs if "data" in output]
    return "\n".join(parts)


def same(one: str, other: str) -> bool:
    """Whether two texts are the same, with numbers that may differ by a hundredth: other machines round otherwise."""
    number = r"-?\d+(?:\.\d+)?"
    if re.sub(number, "0", one).split() != re.sub(number, "0", other).split():
        return False
    pairs = zip(re.findall(number, one), re.findall(number, other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=0.01, abs_tol=0.011) for a, b in pairs)


def differences(notebook: Any, other: Any) -> list[str]:
    """The cells that say another thing in another run; those that tell how long something took are left alone."""
    cells = zip(notebook.cells, other.cells, strict=True)
    compared = [(a, b) for a, b in cells if a.cell_type == "code" and "seconds" not in a.source]
    return [a.source for a, b in compared if not same(tells(a), tells(b))]


def execute(name: str, folder: Path, *, ask: str = "") -> Any:
    """Runs a notebook in a folder, by this interpreter, without data and without settings of the user's.

    `ask` is a cell to run at the end.
    """
    notebook = read(name)
    if ask:
        notebook.cells.append(nbformat.v4.new_code_cell(ask))
    work, settings, data = folder / "work", folder / "settings", folder / "data"
    for each in (work, settings, data):
        each.mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "IPYTHON", "MPL"))}
    environment = kept | {"DURAMEN_DATA_DIR": str(data), "IPYTHONDIR": str(settings), "JUPYTER_DATA_DIR": str(settings)}
    resources = {"metadata": {"path": str(work)}}
    client = nbclient.NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="python3",
        resources=resources,
        coalesce_streams=True,
        record_timing=False,
    )
    # The spec `python3` is this interpreter's own unless the user has one of that name.
    before = os.environ.get("JUPYTER_DATA_DIR")
    os.environ["JUPYTER_DATA_DIR"] = str(settings)
    try:
        client.execute(env=environment)
    finally:
        if before is None:
            del os.environ["JUPYTER_DATA_DIR"]
        else:
            os.environ["JUPYTER_DATA_DIR"] = before
    return notebook


def clean(notebook: Any) -> Any:
    """The notebook without anything that differs between two runs though nothing changed."""
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "duramen": {"executed": digest(notebook)},
        }
    )
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number:02}"
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type != "code":
            continue
        # What Java says when it starts is no output of ours.
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        for output in cell.outputs:
            if "metadata" in output:
                output["metadata"] = nbformat.from_dict({})
    return notebook


def write(names: list[str]) -> None:
    """Runs notebooks and writes them with their outputs; what they write to standard error is shown and left out."""
    for name in names:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            notebook = execute(name, Path(folder))
        print(complaints(notebook), end="", file=sys.stderr)
        clean(notebook)
        nbformat.validate(notebook)
        path = FOLDER / f"{name}.ipynb"
        nbformat.write(notebook, path)
        seconds = time.monotonic() - started
        print(f"{path.name}: {seconds:.0f} s, {len(pictures(notebook))} pictures, {path.stat().st_size} bytes")


ASK = "import json as _json, sys as _sys; print(_json.dumps([_sys.executable, checks]))"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_from_nothing_and_finds_what_it_says(name: str, tmp_path: Path) -> None:
    if name in NEED_JAVA and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        if os.environ.get("CI") == "true":
            pytest.fail("there is no Java; Spark needs Java 17 or 21")
        pytest.skip("there is no Java; Spark needs Java 17 or 21")
    notebook = execute(name, tmp_path, ask=ASK)
    assert [output for output in outputs(notebook) if output.output_type == "error"] == []
    assert "Warning:" not in complaints(notebook)
    executable, checks = json.loads(notebook.cells[-1].outputs[0].text)
    assert os.path.samefile(executable, sys.executable)
    assert {fact: checks.get(fact) for fact in NOTEBOOKS[name]} == dict.fromkeys(NOTEBOOKS[name], True)
    assert all(picture.startswith(b"\x89PNG") for picture in pictures(notebook)) and pictures(notebook)
    committed = read(name)
    assert len(pictures(notebook)) == len(pictures(committed))
    del notebook.cells[-1]
    assert differences(notebook, committed) == [], f"run python tests/test_notebooks.py {name[0]}"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_committed_notebook_has_the_outputs_of_its_code(name: str) -> None:
    notebook = read(name)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    remedy = f"run python tests/test_notebooks.py {name[0]}"
    assert notebook.metadata.get("duramen", {}).get("executed") == digest(notebook), remedy
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), remedy
    assert pictures(notebook), remedy
    assert clean(read(name)) == notebook, remedy
    kinds = {(output.output_type, output.get("name", "stdout")) for output in outputs(notebook)}
    assert kinds <= {("stream", "stdout"), ("display_data", "stdout"), ("execute_result", "stdout")}
    assert (FOLDER / f"{name}.ipynb").stat().st_size < LARGEST


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_committed_notebook_names_no_machine(name: str) -> None:
    everything = texts(read(name)) + "".join(cell.source for cell in read(name).cells)
    paths = re.findall(r"(?<![\w.:/-])/(?:tmp|home|root|work|usr|var|opt|Users|private)/\S*", everything)
    assert paths == []
    # An object without a text of its own is shown by its address, which is another at each run.
    assert not re.search(r" at 0x[0-9a-f]{6,}", everything)
    assert sys.prefix not in everything and socket.gethostname() not in everything.split()


def test_outputs_are_the_same_but_for_rounding() -> None:
    assert same("F1 0.912 of 40 pages", "F1 0.915  of 40 pages")
    assert not same("F1 0.912 of 40 pages", "F1 0.93 of 40 pages")
    assert not same("F1 0.912", "recall 0.912")
    assert not same("40 pages", "40 pages of 3 sites")


def test_every_notebook_is_run_and_told_of() -> None:
    told = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in FOLDER.glob("[0-9]_*.ipynb"):
        assert path.stem in NOTEBOOKS and f"({path.name})" in told


if __name__ == "__main__":
    chosen = sys.argv[1:]
    unknown = [number for number in chosen if not any(name.startswith(f"{number}_") for name in NOTEBOOKS)]
    if unknown:
        sys.exit(f"no notebook begins with {', '.join(unknown)}; they are {', '.join(NOTEBOOKS)}")
    write([name for name in NOTEBOOKS if not chosen or name[0] in chosen])
