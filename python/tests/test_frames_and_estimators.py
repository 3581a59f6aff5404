"""pandas' accessor and the estimators of scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import duramen
import duramen.pandas
from duramen.sklearn import HBOS, KNN, ContentExtractor

ROWS = np.random.default_rng(3).normal(size=(60, 3))


@parametrize_with_checks([HBOS(), KNN()])
def test_detectors_keep_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("ours", "plain"), [(HBOS(n_bins=7), duramen.outlier.HBOS(7)), (KNN(3), duramen.outlier.KNN(3))])
def test_detectors_have_the_scores_of_the_plain_ones(ours, plain):
    ours, plain = ours.fit(ROWS), plain.fit(ROWS)
    assert (ours.score_samples(ROWS) == -plain.decision_function(ROWS)).all()
    assert (ours.predict(ROWS) == -1).sum() == 6
    again = pickle.loads(pickle.dumps(ours))
    assert (again.predict(ROWS) == ours.predict(ROWS)).all()
    with pytest.raises(duramen.UsageError, match="contamination is 0.7; it is above 0 and at most 0.5"):
        clone(ours).set_params(contamination=0.7).fit(ROWS)


def test_pages_go_through_a_pipeline(made):
    pages = [made.html(i) for i in range(8)]
    extractor = ContentExtractor(min_confidence=0.2, n_jobs=1)
    texts = extractor.fit_transform(pages)
    documents = [duramen.bare_extraction(page, min_confidence=0.2) for page in pages]
    assert texts == [document.text for document in documents] and extractor.transform([]) == []
    pipeline = make_pipeline(extractor, TfidfVectorizer(), LogisticRegression())
    topics = [0, 1] * 4
    assert set(pipeline.fit(pages, topics).predict(pages)) <= {0, 1}
    assert pipeline.get_params()["contentextractor__min_confidence"] == 0.2
    assert clone(ContentExtractor(model=duramen.Model.bundled("web"))).fit_transform(pages[:1]) == texts[:1]
    with pytest.raises(duramen.UsageError, match="did you mean 'full-text'"):
        ContentExtractor(labels="fulltext").fit(pages)


def test_a_data_frame_is_extracted_with_its_index(made):
    html = [made.html(0), made.html(1), None]
    pages = pd.DataFrame({"html": html, "url": [made.urls[0], None, None], "key": [{1}, {2}, {3}]}, index=[5, 3, 5])
    found = pages.duramen.extract()
    assert list(found.columns[:3]) == ["url", "key", "text"] and list(found.index) == [5, 3, 5]
    one = duramen.bare_extraction(html[0], made.urls[0])
    assert found.iloc[0][["text", "confidence", "page_type"]].to_list() == [one.text, one.confidence, one.most_probable_type]
    assert found["status"].to_list() == ["ok", "ok", "empty"]
    with pytest.raises(duramen.UsageError, match="there is no column 'page'; the DataFrame has html, url, key"):
        pages.duramen.extract("page")
    with pytest.raises(duramen.UsageError, match="column 'text' has the name of one of the answer's"):
        pages.rename(columns={"key": "text"}).duramen.extract()
