"""Training, counting, sampling, adapting and explaining."""

from __future__ import annotations

import copy
import logging
import pickle
import re

import numpy as np
import pytest

import duramen
from duramen import Corpus, Counts, Model


class Mine(Model):
    """A class of a user's own; of a module, so that it can be pickled."""


@pytest.fixture(scope="module")
def counted(made) -> Model:
    return Model.train(made, config="blocks")


def test_the_bundled_model_is_the_programs(run, tmp_path):
    model = Model.bundled()
    assert model.has_weights and model.n_pages > 1400 and "content-score" in model.features
    path = tmp_path / "web.json"
    model.save(path)
    assert f'"checksum":"{model.sha256}"' in path.read_text()
    assert b"view          Blocks" in run("model", "show", path)
    assert Model.load(path) == model == pickle.loads(pickle.dumps(model)) == Model.from_bytes(model.to_bytes())
    assert repr(model).startswith(f"Model({model.n_pages} pages")
    with pytest.raises(duramen.UsageError, match="did you mean 'web'"):
        Model.bundled("webb")
    with pytest.raises(duramen.ModelError):
        Model.from_bytes(b"{}")


def test_a_model_is_the_one_that_the_program_trains(run, tmp_path):
    path = tmp_path / "synth.json"
    run("train", "--dataset", "synth", "--config", "thesis", "-o", path)
    assert Model.train(Corpus.synthetic(), config="thesis").to_bytes() == path.read_bytes()


def test_counts_of_parts_add_up_to_the_whole_in_any_order(made, counted):
    whole = Model.count(made)
    parts = [Model.count(made, indices=list(range(i, len(made), 5))) for i in range(5)]
    for order in ([0, 1, 2, 3, 4], [4, 2, 0, 3, 1]):
        merged = parts[order[0]]
        for i in order[1:]:
            merged = merged + parts[i]
        assert merged == whole and merged.sha256 == whole.sha256 and merged.to_bytes() == whole.to_bytes()
    assert Model.from_counts(whole) == counted and counted.counts == whole
    assert pickle.loads(pickle.dumps(whole)) == whole and (whole.n_pages, whole.n_nodes > 0) == (len(made), True)
    with pytest.raises(duramen.UsageError, match="cannot be counted by parts"):
        Model.count(made, config="boosted")
    with pytest.raises(duramen.ModelError, match="learned more than counts"):
        Counts.from_bytes(Model.bundled().to_bytes())


def test_a_subclass_gives_models_of_its_own_class(made, counted):
    mine = Mine.from_bytes(counted.to_bytes())
    same = (mine, mine.without_weights(), Mine.from_counts(counted.counts), Mine.train(made), pickle.loads(pickle.dumps(mine)))
    for model in (*same, copy.copy(mine), copy.deepcopy(mine)):
        assert type(model) is Mine and model == counted and not model != counted
    assert type(counted.without_weights()) is type(Model.from_counts(counted.counts)) is Model
    assert mine != "a model"
    with pytest.raises(TypeError, match="unhashable"):
        hash(mine)


def test_labels_may_be_a_text_xpaths_or_one_for_each_block(article):
    by_xpath = {"//h1": "headline", "//article//p": "full-text", "//table": "supplemental"}
    blocks = duramen.bare_extraction(article).blocks
    names = {"h1": "headline", "p": "full-text", "th": "supplemental", "td": "supplemental"}

    def label(block: duramen.Block) -> str:
        of_tag = names.get(block.tag, "not-content")
        of_tag = "full-text" if block.tag == "a" and "/article/" in block.xpath else of_tag
        return "not-content" if "/footer/" in block.xpath else of_tag

    by_block = [label(block) for block in blocks]
    numbers = np.array([duramen.LABELS.index(name) for name in by_block])
    of_xpath = Model.count([article], [by_xpath])
    assert of_xpath == Model.count([article], [by_block]) == Model.count([article], [numbers])
    text = duramen.extract(article)
    assert Model.count([article], [text]).n_pages == 1
    with pytest.raises(duramen.UsageError, match=rf"it has {len(blocks)} blocks and 2 labels"):
        Model.count([article], [["headline", "full-text"]])
    with pytest.raises(duramen.PageError, match="//h7 is not on the page"):
        Model.count([article], [{"//h7": "headline"}], ids=["oak.html"])
    with pytest.raises(duramen.UsageError, match="there are 1 pages and 2 labels"):
        Model.count([article], ["a", "b"])
    with pytest.raises(duramen.UsageError, match="it has reference text"):
        Model.train([article], [text])
    with pytest.raises(TypeError, match="what is known of a page"):
        Model.count([article], [7])


def test_a_model_of_ones_own_extracts_predicts_and_explains(made, counted, article):
    model = Model.train(made, weights=True)
    document = model.extract(article)
    assert document.status == "ok" and document.text != ""
    probabilities = model.predict_proba(article)
    np.testing.assert_array_equal(probabilities, document.blocks.probabilities)
    assert not np.array_equal(probabilities, counted.predict_proba(article))
    with pytest.raises(duramen.PageError, match="the page holds no text"):
        model.predict_proba("")
    explanation = model.explain(article, url="https://wood.example/oak")
    assert "<!DOCTYPE html>" in explanation.html and explanation._repr_html_().startswith("<iframe srcdoc=")


def test_explanations_are_the_programs(run, tmp_path, article):
    path = tmp_path / "page.html"
    path.write_text(article)
    explained = run("explain", path).decode()
    assert Model.bundled()._explain_html(article, id=str(path)) == explained


def test_a_model_is_scored_adapted_and_recalibrated(made, counted, caplog):
    folds = made.folds(3)
    assert len(folds) == len(made) and set(folds) == {0, 1, 2}
    hosts: dict[str, int] = {}
    assert all(hosts.setdefault(host, fold) == fold for host, fold in zip(made.hosts, folds, strict=True))
    test = [i for i, fold in enumerate(folds) if fold == 0]
    scores = counted.score(made, test)
    assert [score.page for score in scores] == [made.ids[i] for i in test]
    assert all(0 <= score.f1 <= 1 and 0 <= score.confidence <= 1 for score in scores)
    recalibrated = counted.recalibrate(made, always=True)
    assert recalibrated != counted
    site = [made.html(i) for i in range(3)]
    with caplog.at_level(logging.WARNING, logger="duramen"):
        adapted = counted.adapt(site)
    assert any("adapted to 3 pages, 0 of them with their text" in message for message in caplog.messages)
    assert adapted != counted
    assert adapted == counted.adapt(site, [None] * 3)
    assert adapted != counted.adapt(site, [made.texts(0)["article"], None, None])


def test_chains_are_read_by_arviz_and_do_not_depend_on_threads(article):
    arviz = pytest.importorskip("arviz")
    model = Model.bundled("web-blocks")
    options = {"chains": 2, "sweeps": 60, "burn_in": 20, "seed": 5}
    draws = model.sample(article, **options)
    again = model.sample(article, threads=1, **options)
    posterior, other = draws.posterior, again.posterior
    assert dict(posterior.sizes)["chain"] == 2 and dict(posterior.sizes)["draw"] == 40
    assert posterior.equals(other)
    assert arviz.summary(draws, var_names=list(posterior.data_vars)[:1]) is not None
    known = [{"xpath": "//h1", "states": ["headline"]}]
    assert not model.sample(article, node_labels=known, **options).posterior.equals(posterior)
    with pytest.raises(duramen.UsageError, match="learned weights"):
        Model.bundled().sample(article, **options)
    with pytest.raises(duramen.UsageError, match="states and all_states"):
        model.sample(article, states=["headline"], all_states=True, **options)
    with pytest.raises(duramen.UsageError, match="did you mean 'headline'"):
        model.sample(article, states=["headlin"], **options)
    with pytest.raises(duramen.UsageError, match="kernel is 'jiont'"):
        model.sample(article, kernel="jiont")


def test_the_likelihood_of_pages_leaves_them_out_in_arviz(made):
    arviz = pytest.importorskip("arviz")
    model = Model.bundled("web-blocks")
    pages = [made.html(i) for i in range(6)]
    draws = model.sample(pages, ids=made.ids[:6], chains=2, sweeps=400, burn_in=100)
    ln_p = draws.log_likelihood.features
    assert ln_p.dims == ("chain", "draw", "page") and list(ln_p.page.values) == made.ids[:6]
    loo = arviz.loo(draws, pointwise=True)
    assert loo.n_data_points == 6
    assert (loo.pareto_k < 0.7).all()
    # What Pareto smoothing steadies: 1 / P(page | the others) is the mean of 1 / P(page | parameters) over the draws.
    by_hand = -np.log(np.exp(ln_p.max() - ln_p).mean(("chain", "draw"))) + ln_p.max()
    assert np.allclose(loo.loo_i.values, by_hand.values, atol=0.1), (loo.loo_i.values, by_hand.values)
    assert loo.elpd_loo == pytest.approx(float(loo.loo_i.sum()))
    assert loo.elpd_loo < float(np.log(np.exp(ln_p - ln_p.max()).mean(("chain", "draw"))).sum() + 6 * ln_p.max())
    # What the sampler says before and after it has seen the pages, beside the pages.
    for group in ("posterior", "prior"):
        axes = arviz.plot_ppc(draws, group=group, var_names=["words_statistics"], num_pp_samples=20)
        assert axes is not None
    assert dict(draws.prior_predictive.sizes)["draw"] == dict(draws.prior.sizes)["draw"] == 500
    fixed = model.sample(pages[0], chains=2, sweeps=20, burn_in=10, parameters="fixed")
    assert not {"log_likelihood", "prior", "prior_predictive"} & set(fixed.groups())


def test_the_likelihood_of_a_page_is_what_its_exported_parameters_say():
    pytest.importorskip("arviz")
    config = """
        view = "blocks"
        states = "labels"
        transition = "parent"
        sibling-types = false
        inner-tables = false
        features = [{ id = "in-list", family = "dirichlet-categorical" }]
    """
    seen = ["<p>Snow fell on the hills.</p><p>It stayed.</p>", "<p>The ferry is late.</p><ul><li>Home</li></ul>"]
    model = Model.train(seen, [{"//p": "full-text"}] * 2, config=config)
    page = "<body><p>Rain fell all night.</p><ul><li>Home</li><li>Contact</li></ul></body>"
    two = ["full-text", "not-content"]
    draws = model.sample(page, chains=2, sweeps=30, burn_in=10, states=two)
    paths = [str(node).split()[-1] for node in draws.node_data.node.values]
    parents = [max((j for j in range(i) if path.startswith(paths[j] + "/")), default=None) for i, path in enumerate(paths)]
    assert [path.rsplit("/", 1)[1] for path in paths] == ["body[1]", "p[1]", "ul[1]", "li[1]", "li[2]"]
    values = draws.observed_data.in_list.values
    assert values.tolist() == [0, 0, 1, 1, 1]
    parameters = draws.posterior.sel(state=two, parent=two)
    emission = draws.posterior.emission_in_list.sel(node_state=two)
    total = 0
    for labelling in np.ndindex(*[2] * len(paths)):
        product = 1
        for v, parent in enumerate(parents):
            of_parent = parameters.root if parent is None else parameters.transition.isel(parent=labelling[parent])
            product = product * of_parent.isel(state=labelling[v]).drop_vars(["state", "parent"], errors="ignore")
            value = emission.isel(node_state=labelling[v], in_list_value=int(values[v]))
            product = product * value.drop_vars(["node_state", "in_list_value"])
        total = total + product
    assert np.allclose(draws.log_likelihood.features.isel(page=0).values, np.log(total).values, atol=1e-9)


def test_states_without_counts_are_left_out_unless_they_are_asked_for(article, caplog):
    pytest.importorskip("arviz")
    model = Model.bundled("web-blocks")
    options = {"chains": 2, "sweeps": 30, "burn_in": 10}

    def parents(**more):
        return set(model.sample(article, **options, **more).posterior.parent.values)

    with caplog.at_level(logging.WARNING, logger="duramen"):
        counted = parents()
    (message,) = caplog.messages
    assert "states without labelled pages left out" in message and "comments" in message
    assert message.endswith("all_states=True samples them too")
    caplog.clear()
    assert "comments" not in counted and "comments" in parents(all_states=True)
    assert "headline" in counted and "headline" not in parents(states=["not-content", "full-text"])
    assert caplog.messages == []


def test_outlier_detectors_have_fit_and_decision_scores():
    from duramen.outlier import HBOS, KNN

    rows = np.arange(50, dtype=float).reshape(-1, 1) % 5
    rows[7] = 100
    for detector in (HBOS(), HBOS(n_bins="auto"), HBOS(n_bins="dynamic"), KNN(), KNN(method="mean")):
        scores = detector.fit(rows).decision_scores_
        assert scores.shape == (50,) and scores.argmax() == 7
        assert detector.decision_function(rows[:3]).shape == (3,)
    with pytest.raises(duramen.UsageError, match="method is 'median'"):
        KNN(method="median").fit(rows)
    with pytest.raises(duramen.UsageError, match="1 dimensions"):
        HBOS().fit([1.0, 2.0])
    with pytest.raises(duramen.DataError):
        KNN(n_neighbors=50).fit(rows)


def test_progress_is_told(made):
    told = []
    Model.train(made, weights=True, progress=lambda stage, done, steps: told.append((stage, done, steps)))
    assert told and all(isinstance(stage, str) for stage, _, _ in told)

    def stop(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Model.train(Corpus.synthetic(), weights=True, progress=stop)
    with pytest.raises(duramen.UsageError, match="progress is of type int; give True"):
        Model.train(made, progress=3)


def test_progress_ends_with_all_steps_done(made, article):
    pytest.importorskip("arviz")
    told = []
    options = {"chains": 2, "sweeps": 30, "burn_in": 10, "until_rhat": 1.0000001, "max_sweeps": 90}
    Model.bundled("web-blocks").sample(article, progress=lambda *step: told.append(step), **options)
    assert told[-1] == ("sweeps", 180, 180)
    assert all(done <= steps for _, done, steps in told)


def test_progress_is_a_bar_for_each_stage(made, article, capsys):
    pytest.importorskip("tqdm")
    pytest.importorskip("arviz")
    pytest.importorskip("pyarrow")
    Model.bundled("web-blocks").sample(article, chains=2, sweeps=30, burn_in=10, progress=True)
    written = capsys.readouterr().err
    assert re.search(r"sweeps: 100%.*60/60", written), written
    duramen.extract_batch([article] * 5, progress=True)
    written = capsys.readouterr().err
    assert re.search(r"extracting: 100%.*5/5", written), written
    duramen.extract_batch([article] * 5, progress=False)
    Model.train(made, progress=None)
    assert capsys.readouterr().err == ""


def test_a_bar_is_closed_when_work_fails_and_begins_anew_with_a_stage(monkeypatch, capsys):
    pytest.importorskip("tqdm")
    from duramen._progress import Bars

    bars = Bars()
    bars("reading", 2, 4)
    bars("reading", 4, 4)
    bars("reading", 1, 3)
    bars("counting", 7, 0)
    bars.close()
    bars.close()
    written = capsys.readouterr().err
    assert re.search(r"reading: 100%.*4/4", written) and re.search(r"reading:  33%.*1/3", written), written
    assert "counting: 7it" in written
    closed = []
    monkeypatch.setattr(Bars, "close", lambda self: closed.append(True))
    with pytest.raises(duramen.DuramenError):
        Corpus.read("no corpus has this name", progress=True)
    assert closed
