"""The detectors of visual outliers as estimators with PyOD's interface: `fit`, `decision_scores_`, `decision_function`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._duramen import FittedHbos, FittedKnn
from ._errors import UsageError, needed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["HBOS", "KNN"]


def _rows(rows: ArrayLike) -> NDArray[np.float64]:
    numpy = needed("numpy", "outliers")
    matrix: NDArray[np.float64] = numpy.ascontiguousarray(rows, dtype=numpy.float64)
    if matrix.ndim != 2:
        raise UsageError(f"the data have {matrix.ndim} dimensions; give a matrix, rows x columns")
    return matrix


class HBOS:
    """The histogram-based outlier score: how rare each value of a row is in its column (Goldstein & Dengel 2012).

    Args:
        n_bins: Bins of each column: a number, `"auto"` for as many as are best (Birge & Rozenholc 2006), or `"dynamic"` for bins of
            equal count, as many as the square root of the number of rows.
        alpha: Added to densities so that an empty bin has a logarithm, above 0 and below 1.
        tol: The share of a bin's width by which a value may stand outside the range, above 0 and below 1.

    Scores equal those of PyOD 2's class of this name, but for `"dynamic"`, which PyOD has not.

    Example:
        >>> from duramen.outlier import HBOS
        >>> scores = HBOS(n_bins=3).fit([[0.0], [0.1], [0.2], [9.0]]).decision_scores_
        >>> int(scores.argmax())
        3
    """

    decision_scores_: NDArray[np.float64]

    def __init__(self, n_bins: int | str = 10, alpha: float = 0.1, tol: float = 0.5) -> None:
        self.n_bins = n_bins
        self.alpha = alpha
        self.tol = tol

    def fit(self, X: ArrayLike, y: object = None) -> HBOS:
        """Makes the histograms of the columns of X (rows x columns) and scores its rows: `decision_scores_`."""
        bins, n = (self.n_bins, 0) if isinstance(self.n_bins, str) else ("static", self.n_bins)
        self._fitted = FittedHbos(_rows(X), bins, n, self.alpha, self.tol)
        self.decision_scores_ = self._fitted.decision_scores()
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """The score of each of other rows; larger is more unlike the rest."""
        return self._fitted.decision_function(_rows(X))


class KNN:
    """The distance to the nearest rows (Ramaswamy et al. 2000; Angiulli & Pizzuti 2002).

    Args:
        n_neighbors: The number of neighbors, 1 and up.
        method: `"largest"` for the distance to the last of them, `"mean"` for the mean distance to all.

    Example:
        >>> from duramen.outlier import KNN
        >>> KNN(n_neighbors=1).fit([[0.0], [0.5], [2.0]]).decision_scores_.tolist()
        [0.5, 0.5, 1.5]
    """

    decision_scores_: NDArray[np.float64]

    def __init__(self, n_neighbors: int = 5, method: str = "largest") -> None:
        self.n_neighbors = n_neighbors
        self.method = method

    def fit(self, X: ArrayLike, y: object = None) -> KNN:
        """Keeps the rows of X (rows x columns) and scores them: `decision_scores_`."""
        self._fitted = FittedKnn(_rows(X), self.n_neighbors, self.method)
        self.decision_scores_ = self._fitted.decision_scores()
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """The score of each of other rows; larger is more unlike the rest."""
        return self._fitted.decision_function(_rows(X))
