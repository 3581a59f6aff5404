"""`extract` and `bare_extraction`: the program's bytes, trafilatura's parameters, and what is wrong with a page."""

from __future__ import annotations

import copy
import inspect
import json
import logging
import multiprocessing
import os
import pickle
import re
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import duramen


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--output-format", "markdown", "--links"], {"output_format": "markdown", "include_links": True}),
        (["--output-format", "html", "--images"], {"output_format": "html", "include_images": True}),
        (["--output-format", "xml", "--links"], {"output_format": "xml", "include_links": True}),
        (["--output-format", "xmltei"], {"output_format": "xmltei"}),
        (["--json"], {"output_format": "json"}),
        (["--output-format", "csv"], {"output_format": "csv"}),
        (["--with-metadata"], {"with_metadata": True}),
        (["--markdown", "--with-metadata"], {"output_format": "markdown", "with_metadata": True}),
        (["--no-tables", "--precision"], {"include_tables": False, "favor_precision": True}),
        (["--recall"], {"favor_recall": True}),
        (["--comments"], {"include_comments": True}),
        (["--comments", "--json"], {"include_comments": True, "output_format": "json"}),
        (["--labels", "full-text"], {"labels": "full-text"}),
        (["--threshold", "0.3"], {"threshold": 0.3}),
        (["--model", "web-blocks"], {"model": "web-blocks"}),
        (["--extractor", "boilerpipe-article"], {"extractor": "boilerpipe-article"}),
        (["--convention", "everything"], {"parameters": {"convention": "everything"}}),
        (["--hidden"], {"include_hidden": True}),
        (["--max-tokens", "40"], {"max_tokens": 40}),
        (["--markdown", "--tables", "records"], {"output_format": "markdown", "table_format": "records"}),
    ],
)
def test_pages_are_extracted_as_by_the_program(made, run, tmp_path, arguments, options):
    for index in range(0, len(made), 4):
        page = made.html(index)
        path = tmp_path / "page.html"
        path.write_bytes(page)
        expected = run("extract", *arguments, path).decode()
        found = duramen.extract(page, record_id=str(path), **options)
        assert (found or "") == expected


def test_str_is_decoded_already_whatever_the_page_says_of_itself():
    page = "<meta charset=iso-8859-1><h1>Über Bäume</h1><p>Größere Bäume wachsen über viele Jahre, sagte die Försterin.</p>"
    assert "Größere" in duramen.extract(page)
    assert "Größere" in duramen.extract(page.encode("iso-8859-1"))
    assert "Größere" in duramen.extract(memoryview(page.encode("iso-8859-1")))
    assert "Größere" in duramen.extract(page.replace("iso-8859-1", "koi8-r").encode("iso-8859-1"), charset="iso-8859-1")
    # Half of a surrogate pair, which no encoding has.
    assert "Bäume" in duramen.extract(page + "\ud83d")


def test_words_read_in_a_wrong_encoding_are_the_problem(article):
    right, wrong = (duramen.bare_extraction(article.replace("storm", word)) for word in ("café", "cafÃ©"))
    assert right.problem is None and wrong.status == "ok" and wrong.confidence < right.confidence
    assert "look as if they were read in a wrong encoding, the first is \"cafÃ©" in wrong.problem


def test_shells_are_told_from_documents(article):
    shell = "<title>Oak</title><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>"
    pages = [duramen.bare_extraction(page) for page in (article, shell)]
    assert [page.most_probable_fault for page in pages] == [None, "script-shell"]
    assert all(set(page.page_fault) == {"script-shell"} for page in pages)


def test_a_document_has_fields_as_attributes_and_keys(article):
    document = duramen.bare_extraction(article)
    assert (document.title, document["sitename"], document.get("author")) == ("The old oak fell", "Wood News", "Ann Ash")
    assert (document.date, document.language, document.hostname) == ("2024-03-05T10:00:00Z", "en", "wood.example")
    assert document.status == "ok" and document and document.problem is None
    assert document.text.startswith("The old oak fell\n") and "Imprint" not in document.text
    assert 0 < document.confidence <= 1 and abs(sum(document.page_type.values()) - 1) < 1e-9
    assert document.get("nothing", 7) == 7 and document.get("problem", 7) == 7
    with pytest.raises(KeyError):
        document["nothing"]
    assert set(document.as_dict()) == set(document.keys())
    assert json.loads(document.to_json())["confidence"] == document.confidence
    assert "# The old oak fell" in document.to_markdown() and "[four" in document.to_markdown(links=True)


def test_a_document_has_the_fields_of_trafilatura(article):
    trafilatura = pytest.importorskip("trafilatura")
    head = """<meta property="og:image" content="/oak.jpg"><meta name="keywords" content="oak, storm"><meta property="article:section"
        content="Trees"><link rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/"></head>"""
    page = article.replace("</head>", head)
    document = duramen.bare_extraction(page, url="https://wood.example/oak")
    assert (document.image, document.license) == ("https://wood.example/oak.jpg", "CC BY-SA 4.0")
    assert (document.tags, document.categories, document.sitename) == (["oak", "storm"], ["Trees"], "Wood News")
    assert document.raw_text == document["raw_text"] == document.text and document.pagetype == document.page_type
    record = json.loads(document.to_json())
    for name in ("image", "license", "tags", "categories", "fingerprint"):
        assert record[name] == document[name] == document.as_dict()[name]
    other = "<h1>Acorns</h1><p>Jays carry acorns into fields, where some of them are forgotten and grow into trees."
    near, far = (duramen.bare_extraction(text).fingerprint for text in (article.replace("two barns", "a barn"), other))
    assert len(document.fingerprint) == 16
    distance = [(int(document.fingerprint, 16) ^ int(other, 16)).bit_count() for other in (near, far)]
    assert distance[0] < 20 < distance[1]
    assert duramen.bare_extraction(page, min_confidence=0.9999).fingerprint is None
    theirs = trafilatura.bare_extraction(page, with_metadata=True)
    names = set(theirs.as_dict()) - {"body", "commentsbody", "filedate"}
    assert names <= {name for name in dir(document) if not name.startswith("_")}


def test_tei_is_valid(made):
    """By the schema that trafilatura brings along, which knows prose, but neither tables, figures, code nor formulas."""
    trafilatura = pytest.importorskip("trafilatura")
    from lxml import etree

    schema = etree.DTD(str(Path(trafilatura.__file__).parent / "data" / "tei_corpus.dtd"))
    known = {declared.name for declared in schema.iterelements()}
    n_valid = 0
    for index in range(len(made)):
        tei = etree.fromstring(duramen.extract(made.html(index), output_format="xmltei", include_links=True).encode())
        if {etree.QName(element).localname for element in tei.iter()} <= known:
            n_valid += 1
            assert schema.validate(tei), schema.error_log
        xml = etree.fromstring(duramen.extract(made.html(index), output_format="xml").encode())
        assert xml.tag == "doc" and xml[0].tag == "main"
    assert n_valid > len(made) / 2


def test_a_document_is_pickled_and_copied(article):
    for page, options in [(article, {"include_images": True}), ("", {}), (article, {"extractor": "everything"})]:
        document = duramen.bare_extraction(page, url="https://wood.example/oak", **options)
        once = pickle.loads(pickle.dumps(document))
        for other in (once, pickle.loads(pickle.dumps(once)), copy.copy(document), copy.deepcopy(document)):
            assert other.as_dict() == document.as_dict() and list(other.blocks) == list(document.blocks)
            assert (other.words, other.images, other.to_json()) == (document.words, document.images, document.to_json())
            assert repr(other) == repr(document) and other.to_text(with_metadata=True) == document.to_text(with_metadata=True)
            for links, images in [(False, False), (True, False), (False, True), (True, True)]:
                said = {"links": links, "images": images}
                assert other.to_markdown(**said) == document.to_markdown(**said)
                assert other.to_markdown(**said, with_metadata=True) == document.to_markdown(**said, with_metadata=True)
                assert other.to_html(**said) == document.to_html(**said)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        [found] = pool.map(duramen.bare_extraction, [article])
    assert found.text == duramen.bare_extraction(article).text


def test_every_way_into_rust_turns_panics_into_exceptions():
    """tests/without_packages.py provokes one. What gives no PyResult reads a field."""
    for file in (ROOT / "python/src").glob("*.rs"):
        source = file.read_text()
        impls = re.findall(r"^#\[pymethods\]\n.*?^}", source, re.MULTILINE | re.DOTALL)
        methods = [method for impl in impls for method in re.findall(r"^    fn .*?^    }", impl, re.MULTILINE | re.DOTALL)]
        methods += re.findall(r"^#\[pyfunction\]\n.*?^}", source, re.MULTILINE | re.DOTALL)
        for method in methods:
            head, _, body = method.partition(" {\n")
            assert "PyResult<" not in head or body.lstrip().startswith("guarded("), f"{file.name}: {head}"


def test_blocks_have_xpath_label_and_six_probabilities(article):
    document = duramen.bare_extraction(article)
    blocks = document.blocks
    assert blocks.probabilities.shape == (len(blocks), 6)
    np.testing.assert_allclose(blocks.probabilities.sum(axis=1), 1)
    [home] = [block for block in blocks if block.text == "Home"]
    assert (home.label, home.kept, home.tag) == ("not-content", False, "a")
    assert home.confidence == home.probabilities["not-content"] > 0.9
    assert home.xpath.endswith("/nav[1]/ul[1]/li[1]/a[1]/text()[1]")
    assert blocks[-1].text == "Privacy" and blocks.labels.dtype == np.uint8
    kept = "".join(block.text for block in blocks if block.kept)
    assert kept.replace(" ", "") == "".join(document.text.split())
    assert duramen.bare_extraction(article, extractor="everything").blocks.probabilities is None


def test_every_parameter_of_trafilatura_is_taken(article):
    trafilatura = pytest.importorskip("trafilatura")
    for name in ("extract", "bare_extraction"):
        theirs = inspect.signature(getattr(trafilatura, name)).parameters
        # What has a default there may be given as that.
        options = {key: value.default for key, value in theirs.items() if value.default is not inspect.Parameter.empty}
        options.pop("config")
        assert getattr(duramen, name)(article, **options)


@pytest.mark.parametrize(
    "option",
    [
        {"fast": True},
        {"no_fallback": True},
        {"deduplicate": True},
        {"include_formatting": True},
        {"date_extraction_params": {}},
        {"include_comments": True, "model": "web-blocks"},
        {"include_links": True},
        {"include_images": True},
        {"with_metadata": True, "output_format": "json"},
    ],
)
def test_what_has_no_effect_is_warned_of(article, option):
    with pytest.warns(duramen.DuramenWarning, match=f"{next(iter(option))} has no effect"):
        duramen.extract(article, **option)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"output_format": "yaml"}, "output_format is 'yaml'; it is one of csv, html, json, markdown, txt, xml, xmltei"),
        ({"tei_validation": True}, "does not check its TEI"),
        ({"as_dict": True}, "has the method as_dict"),
        ({"favor_precision": True, "favor_recall": True}, "contradict"),
        ({"labels": "fulltext"}, "did you mean 'full-text'"),
        ({"labels": []}, "labels is empty"),
        ({"labels": "full-text", "include_comments": True}, "beside labels"),
        ({"threshold": 2}, "threshold is 2; it is from 0 to 1"),
        ({"min_confidence": -1}, "min_confidence"),
        ({"extractor": "hmtt"}, "did you mean 'hmt'"),
        ({"extractor": "everything", "threshold": 0.5}, "needs? probabilities"),
        ({"extractor": "everything", "model": "web-blocks"}, "no effect on extractor"),
        ({"parameters": {"betta": 1}}, "did you mean 'beta'"),
        ({"parameters": {"beta": [1]}}, "parameter 'beta' is of type list; it is a number"),
        ({"prune_xpath": "//p["}, "cannot be read"),
    ],
)
def test_wrong_arguments_are_errors_with_a_remedy(article, options, message):
    with pytest.raises(duramen.UsageError, match=message):
        duramen.extract(article, **options)
    assert issubclass(duramen.UsageError, ValueError)


def test_other_mistakes_in_a_call(article):
    with pytest.raises(TypeError, match="unexpected keyword argument 'favour_recall'"):
        duramen.extract(article, favour_recall=True)
    with pytest.raises(TypeError, match="a page is str or bytes, and this is PosixPath"):
        duramen.extract(Path("page.html"))
    with pytest.raises(duramen.FileError, match="no.json"):
        duramen.extract(article, model="no.json")
    with pytest.raises(duramen.UsageError, match="no model 'wob'"):
        duramen.extract(article, model="wob")


def test_a_page_without_a_text_is_none_and_says_why(caplog):
    with caplog.at_level(logging.WARNING, logger="duramen"):
        assert duramen.extract("", record_id="empty.html") is None
    assert caplog.messages == ["empty.html: left out: the page holds no text"]
    caplog.clear()
    page = "<html lang=en><h1>Oak</h1><p>An oak fell on Monday night in the village."
    assert duramen.extract(page, target_language="de") is None
    assert caplog.messages == ["page: left out: its language is en, and de was asked for"]
    for page, status in [("", "empty"), (b"%PDF-1.7 \x00\x01", "error"), ("<script>x</script>", "empty")]:
        document = duramen.bare_extraction(page)
        assert (document.status, bool(document), document.text, len(document.blocks)) == (status, False, "", 0)
        assert document.problem and document.comments == "" and document.to_markdown() == ""
    large = duramen.bare_extraction("<p>x" * 100, max_tree_size=50)
    assert large.status == "too-large" and "the limit is 50" in large.problem
    late = duramen.bare_extraction("<p>x" * 100, max_seconds=0)
    assert late.status == "timeout" and "not finished after 0 s" in late.problem
    assert duramen.bare_extraction("<p>The oldest oak fell on Monday.", max_seconds=60).status == "ok"


def test_pages_that_are_not_wanted_are_unsure(article):
    def status(**options):
        document = duramen.bare_extraction(article, **options)
        assert (document.text == "") == (document.status != "ok")
        return document.status

    assert status(min_confidence=0.999) == "unsure"
    assert status(target_language="de") == "unsure" and status(target_language="en") == "ok"
    assert status(url_blacklist={"https://wood.example/oak"}) == "unsure"
    assert status(only_with_metadata=True) == "ok"
    with pytest.raises(duramen.UsageError, match="target_language is 'german'"):
        duramen.extract(article, target_language="german")
    assert duramen.extract("<h1>Oak</h1><p>An oak fell on Monday night in the village.", only_with_metadata=True) is None
    assert duramen.bare_extraction(article, author_blacklist={"Ann Ash"}).author is None


def test_comments_are_another_text(article):
    said = "I climbed it as a boy, and my father said that it would come down one day. What a pity that it has."
    page = article.replace("</article>", f"</article><div id=comments><h3>1 comment</h3><p>{said}</p></div>")
    assert said not in duramen.extract(page) and said in duramen.extract(page, include_comments=True)
    document = duramen.bare_extraction(page)
    assert said in document.comments and said not in document.text


def test_what_is_pruned_is_not_kept(article):
    whole = duramen.extract(article)
    assert "412" in whole and "barns" in whole
    assert "412" not in duramen.extract(article, prune_xpath="//table")
    pruned = duramen.extract(article, prune_xpath=["//table", "//p[1]"])
    assert "barns" not in pruned and "Nobody was hurt" in pruned


def test_the_most_probable_blocks_fill_a_budget_of_tokens(article):
    whole = duramen.bare_extraction(article)
    counted = []

    def count(text):
        counted.append(text)
        return len(text)

    part = duramen.bare_extraction(article, max_tokens=300, count_tokens=count)
    assert 0 < len(part.text) < len(whole.text) and sum(map(len, part.text.split())) <= 300
    assert counted and part.confidence == whole.confidence
    with pytest.raises(duramen.UsageError, match="count_tokens has no effect without max_tokens"):
        duramen.bare_extraction(article, count_tokens=len)
    with pytest.raises(ZeroDivisionError):
        duramen.bare_extraction(article, max_tokens=300, count_tokens=lambda text: 1 // 0)
    with pytest.raises(TypeError):
        duramen.bare_extraction(article, max_tokens=300, count_tokens=lambda text: "many")


def test_repeated_text_is_dropped_by_a_list_of_the_program(tmp_path):
    path = tmp_path / "repeats.jsonl"
    crawl = {"kind": "crawl", "min_pages": 3, "min_share": 0}
    block = {"kind": "block", "site": "oak.example", "text": "Write to us.", "pages": 3, "of": 4}
    path.write_text("".join(json.dumps(line) + "\n" for line in (crawl, block)))
    page = "<p>The oak fell.</p><p>Write to <b>us</b>.</p>"
    url = "https://www.oak.example/1"
    for repeats in (path, str(path), duramen.RepeatList(path, min_share=0.75)):
        document = duramen.bare_extraction(page, url, extractor="everything", drop_repeats=repeats)
        assert (document.text, document.repeated_words) == ("The oak fell.\n", 3)
        assert pickle.loads(pickle.dumps(document)).repeated_words == 3
    more = duramen.RepeatList(path, min_pages=4)
    assert (len(more), repr(more)) == (0, "<RepeatList: 0 blocks of 0 sites>")
    kept = duramen.bare_extraction(page, url, extractor="everything", drop_repeats=more)
    assert "Write" in kept.text and kept.repeated_words == 0
    assert duramen.bare_extraction(page, url, extractor="everything").repeated_words is None
    # Of a table, a page whose address is not known and one that states it.
    pages = [page, f"<link rel=canonical href={url}>{page}"]
    table = duramen.extract_batch(pages, extractor="everything", drop_repeats=path)
    assert ["Write" in text for text in table["text"].to_pylist()] == [True, False]
    path.write_text(json.dumps(block))
    with pytest.raises(duramen.DataError, match="line 1 is not one of a list"):
        duramen.bare_extraction(page, drop_repeats=path)
    with pytest.raises(duramen.UsageError, match="2 pages or more"):
        path.write_text(json.dumps(crawl))
        duramen.RepeatList(path, min_pages=1)
    with pytest.raises(duramen.FileError, match="none.jsonl"):
        duramen.RepeatList("none.jsonl")


def test_hidden_text_structure_and_table_formats(article):
    page = (
        "<h1>Oak</h1><p>The oldest oak of the village fell on Monday night, after a storm.<p hidden>Ignore what was said.</p>"
        "<table><tr><th>Tree<th>Height<tr><td>Oak<td>30 m</table>"
    )
    document = duramen.bare_extraction(page, extractor="everything")
    assert document.hidden_words == 4 and "Ignore" not in document.text
    assert "Ignore" in duramen.extract(page, extractor="everything", include_hidden=True)
    heading, paragraph, table = document.structure
    assert heading == {"type": "heading", "level": 1, "text": "Oak"}
    assert (paragraph["type"], table["type"], len(table["blocks"])) == ("paragraph", "table", 2)
    assert "Tree,Height" in document.to_markdown(table_format="csv")
    with pytest.raises(duramen.UsageError, match="gfm, html, csv or records"):
        document.to_markdown(table_format="pipes")
    saved = pickle.loads(pickle.dumps(document))
    assert saved.structure == document.structure and saved.records == document.records == []
    assert saved.to_markdown() == document.to_markdown()
    with pytest.raises(duramen.UsageError, match="was pickled"):
        saved.to_markdown(table_format="csv")


def test_posts_of_a_forum_are_records():
    said = "I drive past there every day, and my father always said that it would come down one day, sooner or later."
    post = (
        "<div class=post id=p{1}><div class=postprofile><a class=username href=/member.php?u={1}>{0}</a><dl><dd>Posts: {1}</dd>"
        "<dd>Joined: May 2009</dd></dl></div><div class=postbody><p class=author>Re: Who saw the oak fall? "
        "<time datetime=2024-05-{1}>May {1}</time></p><div class=content>{2}</div><a href=#>Quote</a> <a href=#>Reply</a></div></div>"
    )
    posts = "".join(post.format(f"User{day}", day, said) for day in range(17, 31))
    page = (
        "<title>Who saw the oak fall? - Tree forum - View topic</title><meta name=generator content=vBulletin>"
        "<ul class=nav><li><a href=/forum>Board index</a><li><a href=/search>Search</a><li><a href=/login>Login</a></ul>"
        f"<h2 class=topic-title>Who saw the oak fall?</h2><p>14 posts, Page 1 of 1</p><div class=thread>{posts}</div>"
        "<p>Who is online: 2 guests. Powered by phpBB</p>"
    )
    document = duramen.bare_extraction(page, url="https://forum.example/viewtopic.php?t=5")
    assert max(document.page_type, key=document.page_type.get) == "forum"
    assert [record["author"] for record in document.records] == [f"User{day}" for day in range(17, 31)]
    first = document.records[0]
    assert first["date"] == "2024-05-17" and said in first["text"] and "title" not in first
    assert json.loads(document.to_json())["records"] == document.records


def test_threads_of_python_extract_at_the_same_time(made):
    pages = [made.html(i) for i in range(len(made))]
    expected = [duramen.extract(page) for page in pages]
    found: dict[int, list[str | None]] = {}
    threads = [
        threading.Thread(target=lambda n=n: found.update({n: [duramen.extract(page) for page in pages]})) for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(found.values()) == [expected] * 4


def test_a_keyboard_interrupt_ends_long_work(made):
    # In the background of a shell without jobs the signal is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        # Minutes of work.
        duramen.Model.bundled("web-blocks").sample(made.html(0), sweeps=2_000_000, burn_in=1, chains=2)
    assert time.monotonic() - begun < 30
    assert duramen.extract(made.html(0))
