"""Writes tests/references/multinomial.json: the weights that scikit-learn learns from rows of ours, which the test computes by the same
formula.

    python3 -m venv target/scikit-learn && target/scikit-learn/bin/pip install scikit-learn==1.9.1
    target/scikit-learn/bin/python scripts/multinomial_reference.py

Run again only when the rows change; the test reads the file.
"""

import json
import pathlib

import numpy
import sklearn
from sklearn.linear_model import LogisticRegression
from splitmix import mixed

ROWS, COLUMNS, OUTCOMES = 300, 12, 4
PENALTY = 0.25

# Two of three values are 0, others quarters up to 2; an outcome goes with every fourth column, but for every fifth row.
values = numpy.zeros((ROWS, COLUMNS))
outcomes = []
for row in range(ROWS):
    for column in range(COLUMNS):
        number = mixed(row * COLUMNS + column)
        values[row, column] = (number // 3 % 8 + 1) / 4 if number % 3 == 0 else 0
    sums = [values[row, outcome::OUTCOMES].sum() for outcome in range(OUTCOMES)]
    outcomes.append(mixed(row) % OUTCOMES if row % 5 == 0 else int(numpy.argmax(sums)))
weights = [1.0 if row % 2 == 0 else 0.5 for row in range(ROWS)]
learned = LogisticRegression(C=1 / PENALTY, tol=1e-12, max_iter=10_000).fit(values, outcomes, sample_weight=weights)
reference = {
    "scikit-learn": sklearn.__version__,
    "constants": [round(value, 7) for value in learned.intercept_],
    "weights": [[round(value, 7) for value in column] for column in learned.coef_.T],
}
path = pathlib.Path(__file__).parent.parent / "tests/references/multinomial.json"
path.write_text(json.dumps(reference, indent=1) + "\n", encoding="utf-8")
