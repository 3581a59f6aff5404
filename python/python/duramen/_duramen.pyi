import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from ._model import Known, Score

__all__ = [
    "LABELS",
    "Corpus",
    "Counts",
    "Extracted",
    "Extractor",
    "FittedHbos",
    "FittedKnn",
    "Model",
    "RepeatList",
    "WarcRecords",
    "__version__",
    "extract_batch",
    "extractors",
]

__version__: str
LABELS: list[str]

_Progress = bool | Callable[[str, int, int], object] | None

@final
class Extractor:
    def __new__(
        cls, id: str = "hmt", parameters: dict[str, Any] | None = None, model: Model | None = None
    ) -> Extractor: ...
    @property
    def id(self) -> str: ...
    @property
    def tells_comments(self) -> bool: ...
    def dropping(self, repeats: RepeatList) -> Extractor: ...
    def extract(
        self,
        content: str | bytes,
        *,
        url: str | None = None,
        id: str | None = None,
        charset: str | None = None,
        labels: Sequence[str] | None = None,
        threshold: float | None = None,
        min_confidence: float | None = None,
        hidden: bool = False,
        max_tokens: int | None = None,
        count_tokens: Callable[[str], int] | None = None,
        tables: bool = True,
        images: bool = False,
        target_language: str | None = None,
        only_with_metadata: bool = False,
        prune: Sequence[str] | None = None,
        max_nodes: int | None = None,
        max_seconds: int | None = None,
    ) -> Extracted: ...

@final
class Extracted:
    @property
    def id(self) -> str: ...
    @property
    def url(self) -> str | None: ...
    @property
    def status(self) -> str: ...
    @property
    def problem(self) -> str | None: ...
    @property
    def title(self) -> str | None: ...
    @property
    def author(self) -> str | None: ...
    @property
    def date(self) -> str | None: ...
    @property
    def date_modified(self) -> str | None: ...
    @property
    def hidden_words(self) -> int: ...
    @property
    def repeated_words(self) -> int | None: ...
    @property
    def language(self) -> str | None: ...
    @property
    def site(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...
    @property
    def image(self) -> str | None: ...
    @property
    def license(self) -> str | None: ...
    @property
    def categories(self) -> list[str]: ...
    @property
    def tags(self) -> list[str]: ...
    @property
    def fingerprint(self) -> str | None: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def wrapper(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    @property
    def page_type(self) -> dict[str, float] | None: ...
    @property
    def most_probable_type(self) -> str | None: ...
    @property
    def page_fault(self) -> dict[str, float] | None: ...
    @property
    def most_probable_fault(self) -> str | None: ...
    @property
    def words(self) -> dict[str, int]: ...
    def body(
        self,
        format: str,
        *,
        tables: bool = True,
        links: bool = False,
        images: bool = False,
        with_metadata: bool = False,
        table_format: str = "gfm",
    ) -> str: ...
    def text_of(self, labels: Sequence[str]) -> str: ...
    def blocks(
        self,
    ) -> tuple[
        list[str], list[str], bytes, bytes, bytes | None, list[str]
    ]: ...
    def withhold(self, problem: str) -> None: ...
    def forget_author(self) -> None: ...
    def images_json(self) -> str: ...
    def records_json(self) -> str: ...

@disjoint_base
class Model:
    """A trained hidden Markov tree: what `duramen.Model` has from Rust."""

    def __new__(cls, model: Model) -> Self: ...
    @classmethod
    def bundled(cls, name: str = "web") -> Self:
        """A model that is in the package (`web`, `web-blocks`) or was fetched by `duramen model fetch`."""
    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """A model from its file."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model's file, which the program reads as well; atomically: aside, then renamed."""
    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """A model from the bytes of its file."""
    def to_bytes(self) -> bytes:
        """The bytes of the model's file; equal models have equal bytes."""
    @property
    def sha256(self) -> str:
        """The SHA-256 of what was learned: equal for equal models."""
    @property
    def n_pages(self) -> int:
        """The number of pages that it learned from."""
    @property
    def sources(self) -> dict[str, int]:
        """The number of pages by source."""
    @property
    def states(self) -> list[str]:
        """The names of its hidden states."""
    @property
    def features(self) -> list[str]:
        """The names of its features."""
    @property
    def has_weights(self) -> bool:
        """Whether it has learned weights over its counts; without, it can be sampled from."""
    @property
    def counts(self) -> Counts:
        """What the model was counted from. Not of models with boosted scores."""
    def without_weights(self) -> Self:
        """The counts alone, without learned weights: the generative model."""
    @classmethod
    def train(
        cls,
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
        progress: _Progress = None,
    ) -> Self:
        """Trains a model on pages with what is known of their text."""
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
        progress: _Progress = None,
    ) -> Counts:
        """Counts pages: what training does with a part of them."""
    @classmethod
    def from_counts(cls, counts: Counts, *, empirical_priors: bool = False) -> Self:
        """The model of counts: the same as one that was trained on all their pages."""
    def adapt(
        self,
        pages: Iterable[str | bytes],
        labels: Sequence[Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        strength: float | None = None,
        label_weight: float | None = None,
        threads: int | None = None,
        progress: _Progress = None,
    ) -> Self:
        """The model adapted to a site, by what its pages agree on and what is known of some of them."""
    def recalibrate(
        self,
        pages: Corpus | Iterable[str | bytes],
        labels: Sequence[Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        indices: Sequence[int] | None = None,
        always: bool = False,
        threads: int | None = None,
        progress: _Progress = None,
    ) -> Self:
        """The model with the line between content and the rest where the references of these pages draw it."""
    def score(
        self,
        corpus: Corpus,
        indices: Sequence[int] | None = None,
        *,
        threads: int | None = None,
        progress: _Progress = None,
    ) -> list[Score]:
        """How good the article is that the model extracts from each page of a corpus, or from the pages of these indices."""
    def _explain_html(self, content: str | bytes, *, url: str | None = None, id: str | None = None) -> str: ...
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
        progress: _Progress = None,
    ) -> Any:
        """Runs chains of the Gibbs sampler over the states of pages and the parameters: the draws as ArviZ has them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Counts:
    """What pages teach a model: numbers that add up exactly, in any order."""

    def merge(self, other: Counts) -> Counts:
        """Both together, as if all their pages had been counted at once."""
    def __add__(self, other: Counts, /) -> Counts: ...
    def __radd__(self, other: Counts, /) -> Counts: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Counts: ...
    def to_bytes(self) -> bytes:
        """The bytes: those of the file of the counted model."""
    @property
    def sha256(self) -> str:
        """The SHA-256 of the counts: equal for equal counts."""
    @property
    def n_pages(self) -> int: ...
    @property
    def n_nodes(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Corpus:
    """Labelled pages: a corpus of `duramen data list`, a folder of pages with their references, or pages of our own."""

    @staticmethod
    def read(
        name: str,
        data_dir: str | os.PathLike[str] | None = None,
        max_pages: int | None = None,
        threads: int | None = None,
        progress: _Progress = None,
    ) -> Corpus:
        """Reads a corpus by its name, its manifest or its folder."""
    @staticmethod
    def synthetic(sites: int = 40, pages_per_site: int = 5, seed: int = 0) -> Corpus:
        """Pages of our own, the same for the same seed."""
    def __len__(self) -> int: ...
    @property
    def source(self) -> str:
        """The corpus with its checksum: what a model notes as a source."""
    @property
    def left_out(self) -> list[tuple[str, str]]:
        """The pages that could not be used, with the reason."""
    @property
    def ids(self) -> list[str]:
        """The names of the pages."""
    @property
    def urls(self) -> list[str | None]:
        """The addresses of the pages, as far as they are known."""
    @property
    def hosts(self) -> list[str]:
        """The registered domains of the pages: what folds are grouped by."""
    def html(self, index: int) -> bytes:
        """A page as it came."""
    def texts(self, index: int) -> dict[str, str]:
        """The reference texts of a page, by what they include."""
    def folds(self, n: int = 5, seed: int = 1) -> list[int]:
        """The fold of each page, 0 to n - 1; the pages of a host are in one."""

@final
class RepeatList:
    """Text that sites repeat over their pages, as a list of `duramen site-repeats --jsonl` has it.

    Args:
        path: The list's file.
        min_pages: Take what is on at least so many pages of its site; default as the list has it.
        min_share: And on at least this share of them, from 0 to 1; default as the list has it.

    `len` is the number of blocks of text.

    Raises:
        FileError: The file cannot be read.
        DataError: It is no such list.
        UsageError: A number is out of range, or below that which the list was made with.
    """

    def __new__(
        cls, path: str | os.PathLike[str], *, min_pages: int | None = None, min_share: float | None = None
    ) -> RepeatList: ...
    def __len__(self) -> int: ...

@final
class FittedHbos:
    def __new__(
        cls, rows: NDArray[np.float64], bins: str, n_bins: int, alpha: float, tol: float
    ) -> FittedHbos: ...
    def decision_scores(self) -> NDArray[np.float64]: ...
    def decision_function(self, rows: NDArray[np.float64]) -> NDArray[np.float64]: ...

@final
class FittedKnn:
    def __new__(cls, rows: NDArray[np.float64], k: int, method: str) -> FittedKnn: ...
    def decision_scores(self) -> NDArray[np.float64]: ...
    def decision_function(self, rows: NDArray[np.float64]) -> NDArray[np.float64]: ...

@final
class WarcRecords:
    def __new__(cls, path: str | os.PathLike[str], start: int = 0, end: int | None = None) -> WarcRecords: ...
    def __iter__(self) -> Iterator[tuple[str, str | None, str | None, str | None, bytes | None, str | None]]: ...
    def __next__(self) -> tuple[str, str | None, str | None, str | None, bytes | None, str | None]: ...
    @property
    def damage(self) -> list[tuple[int, str]]: ...

def extractors() -> list[tuple[str, str, str]]: ...
def extract_batch(
    extractor: Extractor,
    batch: Any,
    html: str,
    url: str | None,
    charset: str | None,
    keep: Sequence[str],
    labels: Sequence[str] | None,
    threshold: float | None,
    min_confidence: float | None,
    hidden: bool,
    max_seconds: int | None,
    threads: int | None,
    progress: _Progress,
) -> Any: ...
