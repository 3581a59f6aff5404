"""Writes tests/references/boosting.json: what LightGBM learns from rows of ours, which the test computes by the same formula.

    python3 -m venv target/lightgbm && target/lightgbm/bin/pip install lightgbm==4.7.0
    target/lightgbm/bin/python scripts/boosting_reference.py

Run again only when the cases change; the test reads the file.
"""

import json
import pathlib

import lightgbm
import numpy
from splitmix import mixed

# The number of values of each feature.
VALUES = [2, 5, 17, 40, 60, 8]
ROWS = 3000
# Rows whose scores by the first tree are written.
WRITTEN = 500


def row(i):
    """Features, a whole number that depends on them with noise, and a weight."""
    x = [mixed(i * len(VALUES) + j) % values for j, values in enumerate(VALUES)]
    noise = mixed(1_000_000 + i) % 60
    y = (x[1] * x[2] if x[0] == 0 else 40 - x[3]) + abs(x[4] - 30) + 5 * (x[5] % 3) + noise
    return x, y, 1 + i % 3


def splits(node):
    if "split_index" in node:
        yield node["split_index"], node["split_feature"], node["split_gain"]
        yield from splits(node["left_child"])
        yield from splits(node["right_child"])


def case(name, loss, weighted, min_rows, settings):
    rows = [row(i) for i in range(ROWS)]
    x = numpy.array([row[0] for row in rows], dtype=float)
    y = numpy.array([row[1] for row in rows], dtype=float)
    target = y / 16 if loss == "squared" else (y > 80).astype(float)
    weights = numpy.array([row[2] for row in rows], dtype=float) if weighted else None
    parameters = {
        "objective": {"logistic": "binary", "squared": "regression"}[loss],
        "learning_rate": settings["learning-rate"],
        "num_leaves": settings["leaves"],
        "min_data_in_leaf": min_rows,
        "lambda_l2": settings["l2"],
        "max_bin": 64,
        "min_data_in_bin": 1,
        "min_sum_hessian_in_leaf": 0,
        "feature_fraction": 1,
        "bagging_freq": 0,
        "feature_pre_filter": False,
        "deterministic": True,
        "verbose": -1,
    }
    trees = lightgbm.train(parameters, lightgbm.Dataset(x, target, weight=weights), settings["trees"])
    first = sorted(splits(trees.dump_model()["tree_info"][0]["tree_structure"]))
    scores = trees.predict(x, raw_score=True)
    if loss == "logistic":
        loss_of_row = numpy.log1p(numpy.exp(numpy.where(target > 0, -scores, scores)))
    else:
        loss_of_row = (scores - target) ** 2 / 2
    scores_of_first = trees.predict(x[:WRITTEN], raw_score=True, num_iteration=1)
    return {
        "name": name,
        "loss": loss,
        "weighted": weighted,
        "settings": {"min-rows": min_rows, "feature-share": 1.0, "row-share": 1.0, **settings},
        "first-tree": {
            "features": [feature for _, feature, _ in first],
            "gains": [gain for _, _, gain in first],
            "scores": [round(score, 9) for score in scores_of_first],
        },
        "mean-loss": numpy.average(loss_of_row, weights=weights),
    }


# LightGBM does not try a feature in a leaf where it gained nothing in the leaf that this was a part of; we do. Without l2 every
# feature gains something everywhere, with it in the first splits.
large = {"trees": 50, "learning-rate": 0.08, "leaves": 31, "l2": 0.0}
small = {"trees": 50, "learning-rate": 0.2, "leaves": 6, "l2": 5.0}
cases = [
    case("logistic, large trees", "logistic", False, 1, large),
    case("logistic, small trees with l2", "logistic", False, 100, small),
    case("squared, large trees", "squared", False, 1, large),
    case("squared, small trees with l2 and weights", "squared", True, 1, small),
]
path = pathlib.Path(__file__).parent.parent / "tests/references/boosting.json"
lines = ",\n".join(json.dumps(case) for case in cases)
path.write_text(f'{{"by": "lightgbm {lightgbm.__version__}", "cases": [\n{lines}\n]}}\n')
