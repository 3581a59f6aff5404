"""Tables of pages: `extract_batch`, and the libraries that call it."""

from __future__ import annotations

import multiprocessing

import pytest

import duramen

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def table(made) -> pa.Table:
    pages = [made.html(i) for i in range(len(made))]
    urls = made.urls
    return pa.table({"key": list(range(len(pages))), "url": urls, "html": pages})


@pytest.fixture(scope="module")
def expected(made) -> list[str | None]:
    found = [duramen.bare_extraction(made.html(i), made.urls[i]) for i in range(len(made))]
    return [document.text if document else None for document in found]


def test_a_batch_is_extracted_as_its_pages_are(made, table, expected):
    [batch] = table.to_batches()
    found = duramen.extract_batch(batch, keep=["key"])
    names = ["key", "text", "title", "date", "language", "page_type", "page_fault", "confidence", "status", "problem"]
    assert found.schema.names == names and found["text"].to_pylist() == expected
    one = duramen.bare_extraction(made.html(0), made.urls[0])
    fields = {"title": one.title, "page_type": one.most_probable_type, "confidence": one.confidence}
    assert {name: found[name][0].as_py() for name in fields} == fields
    assert found.equals(duramen.extract_batch(table, keep=["key"], threads=1))
    chunks = pa.concat_tables([table.slice(0, 5), table.slice(5)])
    assert found.equals(duramen.extract_batch(chunks, keep=["key"]))
    parts = list(duramen.extract_batch(iter(table.to_batches(max_chunksize=7)), keep=["key"]))
    assert len(parts) == 3 and pa.Table.from_batches(parts).equals(pa.Table.from_batches([found]))


def test_columns_may_be_of_any_kind_of_string(expected, table):
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        cast = table.set_column(2, "html", table["html"].cast(kind))
        assert duramen.extract_batch(cast)["text"].to_pylist() == expected
    text = pa.table({"html": ["<h1>Oak</h1><p>An oak fell on Monday night in the village.", None, ""]})
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        found = duramen.extract_batch(pa.table({"html": text["html"].cast(kind)}))
        assert found["status"].to_pylist() == ["ok", "empty", "empty"]
        assert found["text"].to_pylist()[1:] == [None, None] and found["problem"][1].as_py() == "the page holds no text"


def test_an_empty_table_gives_an_empty_table(table):
    found = duramen.extract_batch(table.slice(0, 0))
    assert found.num_rows == 0 and found.schema.field("confidence").type == pa.float64()


def test_what_is_wrong_with_a_table_is_said(table):
    with pytest.raises(duramen.UsageError, match="there is no column 'page'; the table has key, url, html"):
        duramen.extract_batch(table, "page")
    with pytest.raises(duramen.UsageError, match="column 'key' holds Int64"):
        duramen.extract_batch(table, "key")
    with pytest.raises(duramen.UsageError, match="column 'text' cannot be kept"):
        duramen.extract_batch(table.append_column("text", table["url"]), keep=["text"])
    with pytest.raises(duramen.UsageError, match="threads is 0"):
        duramen.extract_batch(table, threads=0)
    for wrong, found in [
        (7, "this is a int"),
        ("<p>Oak", "this is a str"),
        ({"html": [b""]}, "this is a dict"),
        ([b"", ""], "the list holds a bytes"),
        ([7], "the list holds a int"),
    ]:
        with pytest.raises(TypeError, match=f"takes a record batch or table of Arrow, .* and {found}"):
            duramen.extract_batch(wrong)
    with pytest.raises(TypeError, match="the iterator has a bytes"):
        next(duramen.extract_batch(iter([b"<p>Oak"])))


def test_a_list_of_pages_is_a_table_of_them(made, table, expected):
    pages = [made.html(i) for i in range(len(made))]
    assert duramen.extract_batch(pages).equals(duramen.extract_batch(table.select(["html"])))
    assert duramen.extract_batch(["<h1>Oak</h1><p>An oak fell on Monday night in the village."])["status"].to_pylist() == ["ok"]
    assert len(list(duramen.extract_batch(table.to_batches()))) == 1 and list(duramen.extract_batch([])) == []


def _texts(pages: list[bytes]) -> list[str | None]:
    return duramen.extract_batch(pa.table({"html": pages}), threads=2)["text"].to_pylist()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_made_after_threads_were_used_do_not_hang(made, method):
    pages = [made.html(i) for i in range(4)]
    here = _texts(pages)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(_texts, [pages, pages]).get(timeout=120) == [here, here]


def test_duckdb_calls_it_on_its_tables(table, expected):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("pages", table)
    reader = connection.sql("select url, html from pages order by key").to_arrow_reader(7)
    texts = pa.Table.from_batches(duramen.extract_batch(iter(reader)))
    assert texts["text"].to_pylist() == expected
    connection.register("texts", texts)
    assert connection.sql("select count(*) from texts where confidence > 0").fetchall() == [(len(expected),)]


def test_polars_calls_it_on_its_tables(table, expected):
    polars = pytest.importorskip("polars")
    found = polars.from_arrow(duramen.extract_batch(polars.from_arrow(table)))
    assert found["text"].to_list() == expected
