"""Pages of our own, and the program beside which the package is held."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import duramen

ROOT = Path(__file__).parents[2]

ARTICLE = """<!DOCTYPE html><html lang="en"><head><title>The old oak fell | Wood News</title>
<meta property="og:site_name" content="Wood News"><meta name="author" content="Ann Ash">
<meta property="article:published_time" content="2024-03-05T10:00:00Z"><link rel="canonical" href="https://wood.example/oak"></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/trees">Trees</a></li><li><a href="/about">About us</a></li></ul></nav>
<article><h1>The old oak fell</h1>
<p>The oldest oak of the village fell on Monday night, after a storm that lasted for six hours and took the roofs of two barns.</p>
<p>Nobody was hurt, because the green around it had been closed in the evening, the mayor said. It stood for <a href="/age">four
hundred years</a>, and the wood will be given to the school.</p>
<table><tr><th>Tree</th><th>Years</th></tr><tr><td>Oak</td><td>412</td></tr><tr><td>Lime</td><td>207</td></tr></table>
</article><footer><p><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></p></footer></body></html>"""


@pytest.fixture
def article() -> str:
    return ARTICLE


@pytest.fixture(scope="session")
def made() -> duramen.Corpus:
    """Six sites of synthetic pages in several languages and encodings, some with broken markup."""
    return duramen.Corpus.synthetic(sites=6, pages_per_site=3, seed=3)


@pytest.fixture(scope="session")
def program() -> str:
    """The program `duramen`: what `scripts/python.sh` built."""
    path = os.environ.get("DURAMEN_PROGRAM")
    if not path:
        pytest.fail("DURAMEN_PROGRAM is not set; run scripts/python.sh")
    return path


@pytest.fixture(scope="session")
def run(program: str):
    """Runs the program, and gives what it writes to standard output."""

    def run(*arguments: str | Path, stdin: bytes | None = None, code: int = 0) -> bytes:
        done = subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True, check=False)
        assert done.returncode == code, done.stderr.decode()
        return done.stdout

    return run
