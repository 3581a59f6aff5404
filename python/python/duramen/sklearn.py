"""Duramen in scikit-learn: `pip install duramen[scikit-learn]`.

    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from duramen.sklearn import ContentExtractor

    make_pipeline(ContentExtractor(), TfidfVectorizer(), LogisticRegression()).fit(pages, topics)

`HBOS` and `KNN` are those of `duramen.outlier` with the conventions of scikit-learn: larger scores are of rows that are like the rest,
and `predict` gives -1 for outliers and 1 for the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import outlier
from ._batch import extract_batch
from ._errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._model import Model

__all__ = ["HBOS", "KNN", "ContentExtractor"]


class ContentExtractor(TransformerMixin, BaseEstimator):
    """Turns pages into their content, a text for each. There is nothing to fit.

    Args:
        model: A model by its name or file, or a `duramen.Model`.
        extractor: Another system by its id.
        parameters: Parameters of the extractor.
        favor_precision: Leave text out rather than keep boilerplate.
        favor_recall: Keep boilerplate rather than leave text out.
        labels: The labels to keep; default headline, full text and supplemental.
        threshold: Keep text whose probability of these labels is at least this.
        min_confidence: Give no text of pages whose expected F1 is below this.
        n_jobs: Threads; None and -1 for one of each core.

    Example:
        >>> from duramen.sklearn import ContentExtractor
        >>> page = "<h1>Oak</h1><p>The oldest oak of the village fell on Monday night, after a storm that lasted for six hours."
        >>> [text] = ContentExtractor().fit_transform([page])
        >>> text.split()[:3]
        ['Oak', 'The', 'oldest']
    """

    def __init__(
        self,
        model: str | Model = "web",
        extractor: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        favor_precision: bool = False,
        favor_recall: bool = False,
        labels: str | Sequence[str] | None = None,
        threshold: float | None = None,
        min_confidence: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.model = model
        self.extractor = extractor
        self.parameters = parameters
        self.favor_precision = favor_precision
        self.favor_recall = favor_recall
        self.labels = labels
        self.threshold = threshold
        self.min_confidence = min_confidence
        self.n_jobs = n_jobs

    def fit(self, X: Sequence[str | bytes], y: object = None) -> ContentExtractor:
        """Does nothing but hear of wrong parameters."""
        self.transform([])
        return self

    def transform(self, X: Sequence[str | bytes]) -> list[str]:
        """The text of each page (all `str` or all `bytes`); an empty one of a page that has none or could not be read.

        Raises:
            UsageError: A parameter is wrong.
        """
        options = {name: value for name, value in self.get_params(deep=False).items() if name != "n_jobs"}
        threads = None if self.n_jobs in (None, -1) else self.n_jobs
        pages: Any = list(X) or [b""]
        found = extract_batch(pages, **options, threads=threads)
        return [text or "" for text in found["text"].to_pylist()[: len(X)]]

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.one_d_array = tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


class _Outliers(OutlierMixin, BaseEstimator):
    """What both detectors do alike."""

    contamination: float

    def _detector(self) -> outlier.HBOS | outlier.KNN:
        raise NotImplementedError

    def fit(self, X: ArrayLike, y: object = None) -> _Outliers:
        """Learns what is usual from the rows of X."""
        if not 0 < self.contamination <= 0.5:
            raise UsageError(f"contamination is {self.contamination}; it is above 0 and at most 0.5")
        self._rows = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self._fitted = self._detector().fit(self._rows)
        self.offset_ = float(np.percentile(self.score_samples(self._rows), 100 * self.contamination))
        return self

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """How much each row is like the rest: `decision_function` of `duramen.outlier` with its sign turned."""
        check_is_fitted(self)
        return -self._fitted.decision_function(validate_data(self, X, dtype=np.float64, reset=False))

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """`score_samples` less `offset_`: below 0 for outliers."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: ArrayLike) -> NDArray[np.int_]:
        """-1 for outliers, 1 for the others."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def __getstate__(self) -> dict[str, Any]:
        # Made again of the rows.
        return {name: value for name, value in super().__getstate__().items() if name != "_fitted"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "_rows"):
            self._fitted = self._detector().fit(self._rows)


class HBOS(_Outliers):
    """The histogram-based outlier score.

    Args:
        n_bins: As of `duramen.outlier.HBOS`, and so `alpha` and `tol`.
        alpha: Added to densities.
        tol: How far a value may stand outside the range.
        contamination: The share of the rows that are outliers, above 0 and at most 0.5.

    Example:
        >>> from duramen.sklearn import HBOS
        >>> HBOS(n_bins=3, contamination=0.25).fit_predict([[0.0], [0.1], [0.2], [9.0]]).tolist()
        [1, 1, 1, -1]
    """

    def __init__(
        self, n_bins: int | str = 10, alpha: float = 0.1, tol: float = 0.5, contamination: float = 0.1
    ) -> None:
        self.n_bins = n_bins
        self.alpha = alpha
        self.tol = tol
        self.contamination = contamination

    def _detector(self) -> outlier.HBOS:
        return outlier.HBOS(self.n_bins, self.alpha, self.tol)


class KNN(_Outliers):
    """The distance to the nearest rows.

    Args:
        n_neighbors: As of `duramen.outlier.KNN`, and so `method`. Of fewer rows all others are neighbors.
        method: The distance to the last of them (`"largest"`), or the mean.
        contamination: The share of the rows that are outliers, above 0 and at most 0.5.

    Example:
        >>> from duramen.sklearn import KNN
        >>> KNN(n_neighbors=2, contamination=0.25).fit_predict([[0.0], [0.1], [0.2], [9.0]]).tolist()
        [1, 1, 1, -1]
    """

    def __init__(self, n_neighbors: int = 5, method: str = "largest", contamination: float = 0.1) -> None:
        self.n_neighbors = n_neighbors
        self.method = method
        self.contamination = contamination

    def _detector(self) -> outlier.KNN:
        return outlier.KNN(min(self.n_neighbors, len(self._rows) - 1), self.method)
