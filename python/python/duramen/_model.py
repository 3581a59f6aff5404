"""`Model` and `Counts`: training, sampling, adapting, explaining."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from . import _duramen
from ._batch import Table, extract_batch
from ._document import Blocks, Document
from ._duramen import Corpus, Counts, Extractor
from ._errors import PageError
from ._extract import bare_extraction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What is known of the text of a page: its content as text (str), its twin with marks of L3S's annotation (bytes), labels of what
#: XPaths select (dict; the rest is not content), a label for each block (sequence of names or numbers), or nothing (None).
Known: TypeAlias = str | bytes | Mapping[str, str] | Sequence[str] | Sequence[int] | None
#: Is told the stage, how many steps are done, and how many there are (0 if that is not known).
Progress: TypeAlias = Callable[[str, int, int], object]


class Score(NamedTuple):
    """How good an extraction is."""

    page: str
    """The page's name."""
    host: str
    """Its registered domain."""
    f1: float | None
    """F1 of words, with each character of scripts without spaces a word of its own; None without a reference text."""
    confidence: float | None
    """The F1 that the model expects; None where nothing was extracted."""


class Explanation:
    """A page with every block colored by label, and the reasons for each: shown by notebooks, or saved for a browser."""

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


class Model:
    """A trained hidden Markov tree.

    Made by `Model.bundled`, `Model.load`, `Model.train` or `Model.from_counts`; pickled as its file.
    """

    def __init__(self, model: _duramen.Model) -> None:
        self._model = model

    @staticmethod
    def bundled(name: str = "web") -> Model:
        """A model that is in the package (`web`, `web-blocks`) or was fetched by `duramen model fetch`."""
        return Model(_duramen.Model.bundled(name))

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Model:
        """A model from its file."""
        return Model(_duramen.Model.load(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model's file, which the program reads as well; atomically: aside, then renamed."""
        self._model.save(path)

    @staticmethod
    def from_bytes(data: bytes) -> Model:
        """A model from the bytes of its file."""
        return Model(_duramen.Model.from_bytes(data))

    def to_bytes(self) -> bytes:
        """The bytes of the model's file; equal models have equal bytes."""
        return self._model.to_bytes()

    @staticmethod
    def train(
        pages: Corpus | Iterable[str | bytes],
        labels: Sequence[Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        ids: Sequence[str] | None = None,
        indices: Sequence[int] | None = None,
        config: str = "blocks",
        weights: bool | None = None,
        em_iterations: int | None = None,
        empirical_priors: bool = False,
        source: str = "pages",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Model:
        """Trains a model on pages with what is known of their text.

        Args:
            pages: A `Corpus`, or the pages.
            labels: What is known of each page, see `Known`.
            urls: Addresses of the pages: folds are grouped by their hosts.
            ids: Names of the pages in errors.
            indices: Of a corpus the pages to train on; default all.
            config: `blocks`, `thesis`, `boosted`, or a configuration as TOML.
            weights: Learn weights over the counts; default for `boosted` alone. Needs pages of two hosts.
            em_iterations: The most iterations of EM over pages whose labels are not all known; default none.
            empirical_priors: Take the priors that make the counts most probable.
            source: What the model notes as the source of its pages.
            threads: Default one for each core. The model is the same for any number.
            progress: Is told how far the training is.

        Raises:
            UsageError: Labels do not fit their pages, or cannot be used as asked for.
            PageError: A page cannot be read, or its labels not placed on it.
        """
        model = _duramen.Model.train(
            pages,
            labels,
            urls=urls,
            ids=ids,
            indices=indices,
            config=config,
            weights=weights,
            em_iterations=em_iterations,
            empirical_priors=empirical_priors,
            source=source,
            threads=threads,
            progress=progress,
        )
        return Model(model)

    @staticmethod
    def count(
        pages: Corpus | Iterable[str | bytes],
        labels: Sequence[Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        ids: Sequence[str] | None = None,
        indices: Sequence[int] | None = None,
        config: str = "blocks",
        source: str = "pages",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Counts:
        """Counts pages: what training does with a part of them. Counts are whole numbers and add up exactly, in any order, so
        that parts may be counted anywhere: `Model.from_counts(a.merge(b))` is the model of both.

        Of a page with a text the words found on it count as content, its headline apart; a page on which too little of the text
        is found is not counted (`Counts.n_pages`).
        """
        return _duramen.Model.count(
            pages,
            labels,
            urls=urls,
            ids=ids,
            indices=indices,
            config=config,
            source=source,
            threads=threads,
            progress=progress,
        )

    @staticmethod
    def from_counts(counts: Counts, *, empirical_priors: bool = False) -> Model:
        """The model of counts: the same as one that was trained on all their pages."""
        return Model(_duramen.Model.from_counts(counts, empirical_priors=empirical_priors))

    @property
    def counts(self) -> Counts:
        """What the model was counted from. Not of models with boosted scores."""
        return self._model.counts

    @property
    def sha256(self) -> str:
        """The SHA-256 of what was learned: equal for equal models."""
        return self._model.sha256

    @property
    def n_pages(self) -> int:
        """The number of pages that it learned from."""
        return self._model.n_pages

    @property
    def sources(self) -> dict[str, int]:
        """The number of pages by source."""
        return self._model.sources

    @property
    def states(self) -> list[str]:
        """The names of its hidden states."""
        return self._model.states

    @property
    def features(self) -> list[str]:
        """The names of its features."""
        return self._model.features

    @property
    def has_weights(self) -> bool:
        """Whether it has learned weights over its counts; without, it can be sampled from."""
        return self._model.has_weights

    def without_weights(self) -> Model:
        """The counts alone: the generative model."""
        return Model(self._model.without_weights())

    @cached_property
    def _extractor(self) -> Callable[[tuple[tuple[str, Any], ...]], Extractor]:
        model = self._model
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
        return Explanation(self._model.explain_html(filecontent, url=url))

    def adapt(
        self,
        pages: Iterable[str | bytes],
        labels: Sequence[Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        strength: float | None = None,
        label_weight: float | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Model:
        """The model adapted to a site, by what its pages agree on and what is known of some of them.

        With the text or labels of five pages or more these are held out in turn, and the model comes back as it is if
        adapting makes its text no better there; ``strength``, where it is given, is used whatever they say.
        """
        model = self._model.adapt(
            list(pages),
            labels,
            urls=urls,
            strength=strength,
            label_weight=label_weight,
            threads=threads,
            progress=progress,
        )
        return Model(model)

    def recalibrate(
        self,
        pages: Corpus | Iterable[str | bytes],
        labels: Sequence[Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        indices: Sequence[int] | None = None,
        always: bool = False,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Model:
        """The model with the line between content and the rest where the references of these pages draw it.

        Five pages or more are held out in turn, and the model comes back as it is if its text gets no better there, unless
        ``always``.
        """
        model = self._model.recalibrate(
            pages, labels, urls=urls, indices=indices, always=always, threads=threads, progress=progress
        )
        return Model(model)

    def score(
        self,
        corpus: Corpus,
        indices: Sequence[int] | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> list[Score]:
        """How good the article is that the model extracts from each page of a corpus, or from the pages of these indices."""
        return [Score(*row) for row in self._model.score(corpus, indices, threads, progress)]

    def sample(
        self,
        pages: Iterable[str | bytes] | str | bytes,
        *,
        node_labels: Sequence[Mapping[str, Any]] | None = None,
        urls: Sequence[str | None] | None = None,
        ids: Sequence[str] | None = None,
        chains: int = 4,
        sweeps: int = 4000,
        burn_in: int = 1000,
        thin: int = 1,
        seed: int = 1,
        kernel: str | None = None,
        parameters: str | None = None,
        start: str = "dispersed",
        states: Sequence[str] | None = None,
        all_states: bool = False,
        keep_states: bool = False,
        until_rhat: float | None = None,
        max_sweeps: int | None = None,
        store: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Any:
        """Runs chains of the Gibbs sampler over the states of pages and the parameters.

        Args:
            pages: One page, or several, which share the parameters.
            node_labels: What is known of nodes: `{"xpath": "//h1", "states": ["headline"]}`, with `"page"` for one page alone.
            urls: Addresses of the pages.
            ids: Names of the pages.
            chains: Chains of the sampler.
            sweeps: Sweeps of each chain.
            burn_in: Sweeps at the beginning of each chain that are left out.
            thin: Of the sweeps after burn-in, every how many is kept.
            seed: Seed of all random numbers; the same gives the same draws at any number of threads.
            kernel: `single-site` or `blocked`; default blocked, with labels of all siblings single-site.
            parameters: `fixed`, `after-sweep`, `uncollapsed` or `collapsed`.
            start: `uniform` or `dispersed`.
            states: Labels that text may have, such as `["headline", "full-text"]`; default those that the model has counts of,
                which the logger `duramen` tells if others are left out. The mixed states of inner nodes stay.
            all_states: Sample also states that the model has no counts of, which chains exchange with each other.
            keep_states: Keep the states of all nodes for every draw.
            until_rhat: Go on, in steps of `sweeps`, until the largest R-hat is below this.
            max_sweeps: The most sweeps with `until_rhat`.
            store: Folder of a zarr store to write to; default one that is removed.
            threads: Default one for each core.
            progress: Is told how far the chains are.

        Returns:
            The draws as ArviZ has them: InferenceData, or from ArviZ 1 on an xarray DataTree. Needs arviz and zarr.

        Raises:
            UsageError: The model has learned weights, which are no part of what is sampled; or a setting is wrong.
        """
        pages = [pages] if isinstance(pages, str | bytes) else list(pages)
        labels = None if node_labels is None else "\n".join(json.dumps(dict(label)) for label in node_labels)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "draws.zarr" if store is None else Path(store)
            self._model.sample_to(
                path,
                pages,
                labels,
                urls,
                ids,
                chains,
                sweeps,
                burn_in,
                thin,
                seed,
                kernel,
                parameters,
                start,
                None if states is None else list(states),
                all_states,
                keep_states,
                until_rhat,
                max_sweeps,
                threads,
                progress,
            )
            return _open_draws(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._model == other._model

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        return Model.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return repr(self._model)


def _open_draws(path: Path) -> Any:
    import arviz
    import xarray

    draws = xarray.open_datatree(path, engine="zarr").load()
    # ArviZ 1 takes the tree itself.
    return arviz.InferenceData.from_datatree(draws) if hasattr(arviz, "InferenceData") else draws
