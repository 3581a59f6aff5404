"""Writes tests/references/outlier.json: outlier scores of matrices of ours by PyOD.

    python3 -m venv target/pyod && target/pyod/bin/pip install pyod==2.0.5 scikit-learn==1.5.2
    target/pyod/bin/python scripts/outlier_reference.py

Run again only when the cases change; the test reads the file.
"""

import json
import pathlib

import numpy
import pyod.version
from pyod.models.hbos import HBOS
from pyod.models.knn import KNN

source = numpy.random.default_rng(20181001)


def styles(rows, columns, distinct):
    """Rows as of computed styles: few distinct ones, whole numbers and columns of 0 and 1."""
    kinds = numpy.where(
        source.random((distinct, columns)) < 0.5,
        source.integers(0, 2, (distinct, columns)),
        source.choice([0, 8, 12, 13.6, 16, 255], (distinct, columns)),
    )
    return kinds[numpy.minimum(source.geometric(0.25, rows) - 1, distinct - 1)]


def cases():
    """Name, matrix, other rows, numbers of neighbors, numbers of bins."""
    normal = source.normal(size=(60, 4))
    normal[:3] += 6
    yield "normal", normal, source.normal(scale=3, size=(15, 4)), [1, 5, 20, 59], [3, 10, 20]
    yield "one column", source.exponential(size=(40, 1)), source.normal(size=(10, 1)), [1, 3, 10], [5, 10]
    yield "many columns", source.uniform(-5, 5, (30, 40)), source.uniform(-9, 9, (6, 40)), [1, 7], [10]
    ties = source.integers(0, 4, (50, 3)).astype(float)
    yield "ties and equal rows", ties, source.integers(-2, 7, (20, 3)).astype(float), [1, 2, 5, 30, 49], [3, 4, 10]
    constant = source.normal(size=(25, 4))
    constant[:, 1] = 3.25
    constant[:, 3] = 0
    yield "constant columns", constant, constant[:5] + 0.3, [1, 5, 24], [10]
    yield "all rows equal", numpy.full((12, 3), 7.5), numpy.array([[7.5, 7.5, 7.5], [7.1, 8.1, 9.0]]), [1, 5, 11], [10]
    yield "k is all others", source.normal(size=(6, 2)), source.normal(size=(3, 2)), [4, 5], [3]
    edges = numpy.array([[0.1 * i, i, 1 - 0.1 * i] for i in range(11)] * 2)
    yield "values on the edges", edges, edges[:11] + [0.05, 0.5, 0.01], [1, 4], [5, 10]
    yield "styles", styles(120, 24, 14), styles(10, 24, 8), [1, 10, 50, 100], [10]
    skewed = numpy.column_stack([source.exponential(size=400), source.integers(0, 9, 400) ** 2, source.normal(size=400)])
    yield "skewed", skewed, source.normal(scale=4, size=(10, 3)), [10, 200, 399], [10, 20]
    yield "far from zero", source.normal(size=(30, 3)) + 1e6, source.normal(size=(5, 3)) + 1e6, [1, 10], [10]


def scores(detector, rows, others):
    detector.fit(rows)
    found = {"decision_scores": detector.decision_scores_.tolist()}
    if others is not None:
        found["decision_function"] = detector.decision_function(others).tolist()
    return found


def main():
    written = []
    for name, rows, others, ks, bins in cases():
        # As few digits as tell the cases apart; PyOD is given the rounded values.
        rows, others = rows.round(3), others.round(3)
        knn = [
            {"k": k, "method": method}
            # Distances by differences; "auto" may take the square of a sum, which loses digits.
            | scores(KNN(n_neighbors=k, method=method, algorithm="ball_tree"), rows, others)
            for k in ks
            for method in ("largest", "mean")
        ]
        hbos = [
            {"bins": n, "alpha": alpha, "tol": tol} | scores(HBOS(n_bins=n, alpha=alpha, tol=tol), rows, others)
            for n in bins
            for alpha, tol in ((0.1, 0.5), (0.02, 0.9))
        ]
        # PyOD counts the bins anew for other rows, so that its scores of them are not those of the bins fitted.
        hbos.append({"bins": "auto", "alpha": 0.1, "tol": 0.5} | scores(HBOS(n_bins="auto"), rows, None))
        written.append({"name": name, "rows": rows.tolist(), "others": others.tolist(), "knn": knn, "hbos": hbos})
    path = pathlib.Path(__file__).parent.parent / "tests/references/outlier.json"
    by = f"pyod {pyod.version.__version__}, numpy {numpy.__version__}"
    path.write_text(
        '{"by": ' + json.dumps(by) + ', "cases": [\n' + ",\n".join(json.dumps(case) for case in written) + "\n]}\n"
    )
    print(f"{path.name}: {len(written)} cases")


main()
