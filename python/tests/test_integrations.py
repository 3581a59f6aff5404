"""Each pipeline extracts the text that the program does, byte for byte, by the real package."""

from __future__ import annotations

import json

import pytest

import duramen

SHELL = "<title>Oak</title><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>"
TYPES = set(duramen.bare_extraction("<p>Oak").page_type or ())


def type_of(html: str, url: str) -> str | None:
    return duramen.bare_extraction(html, url).most_probable_type


@pytest.fixture(scope="module")
def pages(made, run, tmp_path_factory) -> list[tuple[str, str, str]]:
    """Addresses, pages as text, and what the program extracts of them; the last has no text."""
    folder = tmp_path_factory.mktemp("pages")
    pages = []
    for index in range(0, len(made), 3):
        html = duramen.bare_extraction(made.html(index), extractor="everything").to_html()
        path = folder / f"{index}.html"
        path.write_text("<meta charset=utf-8>" + html)
        pages.append((f"https://made.example/{index}", path.read_text(), run("extract", path).decode()))
    return [*pages, ("https://made.example/empty", "<script>x</script>", "")]


def test_datatrove(pages, tmp_path):
    pytest.importorskip("datatrove")
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers import JsonlWriter

    from duramen.integrations.datatrove import Duramen, DuramenWithConfidence

    def texts(step, name):
        documents = [Document(text=html, id=str(i), metadata={"url": url}) for i, (url, html, _) in enumerate(pages)]
        out = tmp_path / name
        pipeline = [documents, step, JsonlWriter(str(out), compression=None)]
        LocalPipelineExecutor(pipeline, logging_dir=str(tmp_path / f"{name}-logs")).run()
        return [json.loads(line) for file in sorted(out.glob("*.jsonl")) for line in file.read_text().splitlines()]

    expected = [text for _, _, text in pages[:-1]]
    assert [document["text"] for document in texts(Duramen(timeout=30), "process")] == expected
    kept = texts(DuramenWithConfidence(), "confidence")
    assert [document["text"] for document in kept] == expected
    for document in kept:
        said = document["metadata"]
        assert 0 < said["confidence"] <= 1 and said["status"] == "ok" and said["page_type"] in TYPES
    assert len(texts(DuramenWithConfidence(keep_failed=True), "failed")) == len(pages)
    assert texts(DuramenWithConfidence(min_confidence=1.0), "sure") == []
    assert Duramen().extract("") == ""
    with pytest.raises(duramen.UsageError, match="did you mean 'full-text'"):
        Duramen(labels="fulltext")


def test_nemo_curator(pages):
    pytest.importorskip("nemo_curator")
    from nemo_curator.stages.text.download.html_extractors import HTMLExtractorAlgorithm

    from duramen.integrations.nemo_curator import DuramenAlgorithm, DuramenExtractor

    algorithm = DuramenAlgorithm()
    assert isinstance(algorithm, HTMLExtractorAlgorithm)
    extractor = DuramenExtractor()
    for url, html, expected in pages[:-1]:
        pieces = algorithm.extract_text(html, frozenset(), "ENGLISH")
        assert "\n\n".join(pieces) == expected
        record = extractor.extract({"url": url, "warc_id": "1", "source_id": "2", "content": html.encode()})
        assert record["text"] == expected and set(record) == set(extractor.output_columns())
        assert 0 < record["confidence"] <= 1 and (record["status"], record["page_type"]) == ("ok", type_of(html, url))
    assert extractor.extract({"content": SHELL})["page_fault"] == "script-shell"
    assert algorithm.extract_text(pages[-1][1], frozenset(), "ENGLISH") is None
    assert extractor.extract({"url": None, "content": b""}) is None


def test_langchain(pages):
    pytest.importorskip("langchain_core")
    from langchain_core.document_loaders import Blob
    from langchain_core.documents import Document

    from duramen.integrations.langchain import DuramenParser, DuramenTransformer

    for url, html, expected in pages[:-1]:
        [document] = DuramenParser().parse(Blob.from_data(html, path=url))
        assert document.page_content == expected and document.metadata["source"] == document.metadata["url"] == url
        assert 0 < document.metadata["confidence"] <= 1
        assert (document.metadata["status"], document.metadata["page_type"]) == ("ok", type_of(html, url))
        blocks = DuramenParser(mode="blocks").parse(Blob.from_data(html, path=url))
        assert " ".join(block.page_content for block in blocks).split() == expected.replace("- ", "").split()
        assert all(block.metadata["xpath"] and 0 < block.metadata["label_probability"] <= 1 for block in blocks)
        given = Document(page_content=html, metadata={"source": url, "key": 7})
        [transformed] = DuramenTransformer().transform_documents([given])
        assert transformed.page_content == expected and transformed.metadata["key"] == 7
    with pytest.raises(duramen.PageError, match="https://made.example/empty: the page holds no text"):
        DuramenParser().parse(Blob.from_data(pages[-1][1], path=pages[-1][0]))
    assert DuramenParser(skip_failed=True).parse(Blob.from_data("", path="p")) == []
    with pytest.raises(duramen.UsageError, match="mode is 'pages'"):
        DuramenParser(mode="pages")


def test_llama_index(pages, tmp_path):
    pytest.importorskip("llama_index.core")
    from duramen.integrations.llama_index import DuramenReader

    for url, html, expected in pages[:-1]:
        path = tmp_path / "page.html"
        path.write_text(html)
        [document] = DuramenReader().load_data(path)
        assert document.text == expected and document.metadata["source"] == str(path)
        [document] = DuramenReader().load_html(html, url=url, extra_info={"key": 7})
        assert (document.metadata["url"], document.metadata["key"]) == (url, 7)
        assert (document.metadata["status"], document.metadata["page_type"]) == ("ok", type_of(html, url))
        blocks = DuramenReader(mode="blocks").load_html(html)
        assert {block.metadata["label"] for block in blocks} <= set(duramen.LABELS)
    with pytest.raises(duramen.PageError, match="the page holds no text"):
        DuramenReader().load_html("<script>x</script>")


def test_scrapy(pages):
    pytest.importorskip("scrapy")
    from scrapy.exceptions import DropItem
    from scrapy.http import HtmlResponse
    from scrapy.utils.test import get_crawler

    from duramen.integrations.scrapy import DuramenPipeline

    settings = {"DURAMEN_OPTIONS": {"include_tables": True}, "DURAMEN_MIN_CONFIDENCE": "0"}
    pipeline = DuramenPipeline.from_crawler(get_crawler(settings_dict=settings))
    for url, html, expected in pages[:-1]:
        item = pipeline.process_item({"url": url, "html": html})
        assert (item["text"], item["status"], item["page_type"]) == (expected, "ok", type_of(html, url)) and "html" not in item
        response = HtmlResponse(url, body=html.encode(), encoding="utf-8")
        item = pipeline.process_item({"html": response})
        assert (item["text"], item["url"]) == (expected, url)
    with pytest.raises(DropItem, match="the page holds no text"):
        pipeline.process_item({"url": pages[-1][0], "html": pages[-1][1]})
    assert pipeline.process_item({"other": 1}) == {"other": 1}
    item = DuramenPipeline().process_item({"html": SHELL})
    assert item["page_fault"] == "script-shell"
