"""Web archives in, Parquet of clean text out, by Ray Data: `pip install duramen[ray]`.

    python examples/ray_data.py crawl.warc.gz -o texts
"""

import argparse
from itertools import islice

import pyarrow as pa
import ray

import duramen
from duramen.warc import WarcReader

PAGE = pa.schema({**dict.fromkeys(["record_id", "url", "charset"], pa.string()), "html": pa.binary()})


def pages(archives: pa.Table):
    for path in archives["path"].to_pylist():
        reader = iter(WarcReader(path))
        while rows := [vars(page) for page in islice(reader, 256)]:
            yield pa.Table.from_pylist(rows, PAGE)


def texts(pages: pa.Table) -> pa.Table:
    return pa.table(duramen.extract_batch(pages, charset="charset", keep=["record_id", "url"], threads=1))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("archives", nargs="+", help="web archives, each for one task")
    parser.add_argument("-o", "--output", required=True, help="folder for the Parquet files")
    options = parser.parse_args(arguments)
    paths = [{"path": path} for path in options.archives]
    read = ray.data.from_items(paths, override_num_blocks=len(paths)).map_batches(pages, batch_format="pyarrow")
    read.map_batches(texts, batch_size=256, batch_format="pyarrow").write_parquet(options.output)


if __name__ == "__main__":
    main()
