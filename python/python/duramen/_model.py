"""`Model`: Rust's class of this name, with extraction, probabilities and explanations in Python's types."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from . import _duramen
from ._batch import Table, extract_batch
from ._document import Blocks, Document
from ._duramen import Extractor
from ._errors import PageError
from ._extract import bare_extraction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What is known of the text of a page: its content as text (str), its twin with marks of L3S's annotation (bytes), labels of what
#: XPaths select (dict; the rest is not content), a label for each block (sequence of names or numbers), or nothing (None).
Known: TypeAlias = str | bytes | Mapping[str, str] | Sequence[str] | Sequence[int] | None


class Score(NamedTuple):
    """How good an extraction is.

    Example:
        >>> from duramen import Corpus, Model
        >>> score = Model.bundled("web").score(Corpus.synthetic(sites=1))[0]
        >>> 0 <= score.f1 <= 1
        True
    """

    page: str
    """The page's name."""
    host: str
    """Its registered domain."""
    f1: float | None
    """F1 of words, with each character of scripts without spaces a word of its own; None without a reference text."""
    confidence: float | None
    """The F1 that the model expects; None where nothing was extracted."""


class Explanation:
    """A page with every block colored by label, and the reasons for each: shown by notebooks, or saved for a browser.

    Example:
        >>> from duramen import Model
        >>> why = Model.bundled("web").explain("<p>The oldest oak of the village fell on Monday night.")
        >>> why.html[:15]
        '<!DOCTYPE html>'
    """

    def __init__(self, html: str) -> None:
        self.html = html
        """The whole as one HTML file."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        source = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{source}" sandbox="allow-scripts" style="width:100%;height:36em;border:1px solid #ccc"></iframe>'

    def __repr__(self) -> str:
        return f"<Explanation, {len(self.html)} characters of HTML>"


class Model(_duramen.Model):
    """A trained hidden Markov tree.

    Made by `Model.bundled`, `Model.load`, `Model.train` or `Model.from_counts`; pickled as its file.

    Example:
        >>> from duramen import Corpus, Model
        >>> model = Model.train(Corpus.synthetic(sites=2))
        >>> model.extract("<p>The oldest oak of the village fell on Monday night.").status
        'ok'
    """

    @cached_property
    def _extractor(self) -> Callable[[tuple[tuple[str, Any], ...]], Extractor]:
        model = _duramen.Model(self)
        return lru_cache(maxsize=4)(lambda parameters: Extractor("hmt", dict(parameters), model))

    def extract(self, filecontent: str | bytes, url: str | None = None, **options: Any) -> Document:
        """What this model finds on a page: `duramen.bare_extraction` with it."""
        return bare_extraction(filecontent, url, model=self, **options)

    def extract_batch(self, table: Table, **options: Any) -> Any:
        """What this model finds on a table of pages: `duramen.extract_batch` with it."""
        return extract_batch(table, model=self, **options)

    def predict_proba(self, filecontent: str | bytes, url: str | None = None) -> NDArray[np.float64]:
        """P(label) of each block of a page; shape: blocks x 6 labels, in the order of `duramen.LABELS`. Rows sum to 1.

        Raises:
            PageError: The page cannot be read, or shows no text.
        """
        extracted = self._extractor(()).extract(filecontent, url=url)
        probabilities = Blocks(extracted).probabilities
        if probabilities is None:
            raise PageError(f"{extracted.id}: {extracted.problem}")
        return probabilities

    def explain(self, filecontent: str | bytes, url: str | None = None) -> Explanation:
        """Why each block of a page has its label.

        Raises:
            PageError: The page cannot be read, or shows no text.
        """
        return Explanation(self._explain_html(filecontent, url=url))


def _open_draws(path: Path) -> Any:
    import arviz
    import xarray

    draws = xarray.open_datatree(path, engine="zarr").load()
    # ArviZ 1 takes the tree itself.
    of_arviz: Any = getattr(arviz, "InferenceData", None)
    return draws if of_arviz is None else of_arviz.from_datatree(draws)
