import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "LABELS",
    "Corpus",
    "Counts",
    "Extracted",
    "Extractor",
    "FittedHbos",
    "FittedKnn",
    "Model",
    "WarcRecords",
    "__version__",
    "extract_batch",
    "extractors",
]

__version__: str
LABELS: list[str]

_Progress = Callable[[str, int, int], object] | None
_Known = str | bytes | Mapping[str, str] | Sequence[str] | Sequence[int] | None

@final
class Extractor:
    def __new__(
        cls, id: str = "hmt", parameters: dict[str, Any] | None = None, model: Model | None = None
    ) -> Extractor: ...
    @property
    def id(self) -> str: ...
    @property
    def tells_comments(self) -> bool: ...
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
        tables: bool = True,
        images: bool = False,
        prune: Sequence[str] | None = None,
        max_nodes: int | None = None,
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
    def words(self) -> dict[str, int]: ...
    def body(
        self,
        format: str,
        *,
        tables: bool = True,
        links: bool = False,
        images: bool = False,
        with_metadata: bool = False,
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

@final
class Model:
    @staticmethod
    def bundled(name: str = "web") -> Model: ...
    @staticmethod
    def load(path: str | os.PathLike[str]) -> Model: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...
    def to_bytes(self) -> bytes: ...
    @property
    def sha256(self) -> str: ...
    @property
    def n_pages(self) -> int: ...
    @property
    def sources(self) -> dict[str, int]: ...
    @property
    def states(self) -> list[str]: ...
    @property
    def features(self) -> list[str]: ...
    @property
    def has_weights(self) -> bool: ...
    @property
    def counts(self) -> Counts: ...
    def without_weights(self) -> Model: ...
    @staticmethod
    def train(
        pages: Corpus | Iterable[str | bytes],
        labels: Sequence[_Known] | None = None,
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
    ) -> Model: ...
    @staticmethod
    def count(
        pages: Corpus | Iterable[str | bytes],
        labels: Sequence[_Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        ids: Sequence[str] | None = None,
        indices: Sequence[int] | None = None,
        config: str = "blocks",
        source: str = "pages",
        threads: int | None = None,
        progress: _Progress = None,
    ) -> Counts: ...
    @staticmethod
    def from_counts(counts: Counts, *, empirical_priors: bool = False) -> Model: ...
    def adapt(
        self,
        pages: Sequence[str | bytes],
        labels: Sequence[_Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        strength: float | None = None,
        label_weight: float | None = None,
        threads: int | None = None,
        progress: _Progress = None,
    ) -> Model: ...
    def recalibrate(
        self,
        pages: Corpus | Iterable[str | bytes],
        labels: Sequence[_Known] | None = None,
        *,
        urls: Sequence[str | None] | None = None,
        indices: Sequence[int] | None = None,
        always: bool = False,
        threads: int | None = None,
        progress: _Progress = None,
    ) -> Model: ...
    def score(
        self,
        corpus: Corpus,
        indices: Sequence[int] | None = None,
        threads: int | None = None,
        progress: _Progress = None,
    ) -> list[tuple[str, str, float | None, float | None]]: ...
    def explain_html(self, content: str | bytes, *, url: str | None = None, id: str | None = None) -> str: ...
    def sample_to(
        self,
        store: str | os.PathLike[str],
        pages: Sequence[str | bytes],
        labels: str | None,
        urls: Sequence[str | None] | None,
        ids: Sequence[str] | None,
        chains: int,
        sweeps: int,
        burn_in: int,
        thin: int,
        seed: int,
        kernel: str | None,
        parameters: str | None,
        start: str,
        states: Sequence[str] | None,
        all_states: bool,
        keep_states: bool,
        until_rhat: float | None,
        max_sweeps: int | None,
        threads: int | None,
        progress: _Progress,
    ) -> None: ...
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
    threads: int | None,
) -> Any: ...
