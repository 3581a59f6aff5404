"""Clean text in SQL, by DuckDB: `pip install duramen[duckdb]`.

    python examples/duckdb_udf.py "pages/*.html"
"""

from __future__ import annotations

import argparse

import duckdb
import pyarrow as pa

import duramen


def extract(html: pa.ChunkedArray) -> pa.Array:
    """Text and confidence of a column of pages."""
    found = duramen.extract_batch(pa.table({"html": html}))
    return pa.StructArray.from_arrays([found["text"], found["confidence"]], ["text", "confidence"])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", help="a glob of pages")
    options = parser.parse_args(arguments)
    connection = duckdb.connect()
    answer = "STRUCT(text VARCHAR, confidence DOUBLE)"
    connection.create_function("extract_page", extract, ["BLOB"], answer, type="arrow")
    connection.execute(
        "create table texts as select filename, page.text, page.confidence "
        "from (select filename, extract_page(content) as page from read_blob(?)) order by filename",
        [options.pages],
    )
    connection.sql("select filename, length(text) as characters, round(confidence, 2) as sure from texts").show()


if __name__ == "__main__":
    main()
