"""Duramen in Spark: `pip install duramen[spark]`.

    from pyspark.sql import SparkSession
    import duramen.spark

    spark = SparkSession.builder.getOrCreate()
    spark.dataSource.register(duramen.spark.WarcDataSource)
    pages = spark.read.format("warc").load("crawl/*.warc.gz")
    texts = duramen.spark.extract(pages, charset="charset")
    texts.where("confidence >= 0.9").write.parquet("texts")

Every worker needs the package, in the Python that `PYSPARK_PYTHON` names; a model file is needed on the driver alone,
which sends it. Nothing but DataFrames is used, so that Spark's RDDs need not be there.
"""

from __future__ import annotations

import glob
import hashlib
import json
import logging
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import Column, DataFrame
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.functions import col, floor
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DoubleType,
    IntegralType,
    MapType,
    StringType,
    StructField,
    StructType,
)

from ._batch import extract_batch
from ._duramen import Counts
from ._errors import FileError, PageError, UsageError
from ._model import Known, Model
from .warc import WarcReader

__all__ = ["WarcDataSource", "count", "extract", "train"]

_log = logging.getLogger("duramen")

# What `extract_batch` gives behind the columns that are kept.
_ANSWER = StructType([
    StructField("text", StringType()),
    StructField("title", StringType()),
    StructField("date", StringType()),
    StructField("language", StringType()),
    StructField("page_type", StringType()),
    StructField("page_fault", StringType()),
    StructField("confidence", DoubleType()),
    StructField("status", StringType()),
    StructField("problem", StringType()),
])
# Models that are in the package, and so on every worker.
_IN_THE_PACKAGE = ("web", "web-blocks")
# Pages that are parsed at once where pages are counted.
_COUNTED_AT_ONCE = 64
# Counts that are added up by one task of a level of the tree.
_ADDED_AT_ONCE = 32


def extract(
    df: DataFrame,
    html: str = "html",
    url: str | None = "url",
    *,
    charset: str | None = None,
    keep: Sequence[str] | None = None,
    **options: Any,
) -> DataFrame:
    """Extracts a DataFrame of pages, by `mapInArrow` and one thread a task: `duramen.extract_batch` of every partition.

    Args:
        df: The pages.
        html: The column with the pages: strings, or binary as they came over the network.
        url: The column with their addresses; None if there is none. Left alone if the default is not there.
        charset: The column with the charsets of HTTP headers, if there is one.
        keep: Columns that stand before the answer's. Default all but the pages and their charsets.
        options: As of `duramen.extract_batch`: `model`, `min_confidence`, `favor_precision`, `labels`... A model may be
            a name, a file of the driver, or a `duramen.Model`. With `spark.task.cpus` above 1 give as many `threads`.

    Returns:
        A DataFrame with the columns kept, then text, title, date, language, page_type, page_fault, confidence, status and problem. A page that
        fails is a row with its status; unless that is `ok` the text is null. Nothing is computed before it is used.

    Raises:
        UsageError: A column is missing, is of another type, or has the name of one of the answer's; or an option is
            wrong. It is raised here, before a job starts.

    Example:
        >>> import duramen.spark
        >>> from pyspark.sql import SparkSession
        >>> spark = SparkSession.builder.master("local[1]").getOrCreate()
        >>> page = "<title>Oak</title><h1>Oak</h1><p>The oldest oak of the village fell on Monday night."
        >>> pages = spark.createDataFrame([("https://example.org/oak", page)], ["url", "html"])
        >>> [row] = duramen.spark.extract(pages).collect()
        >>> row.url, row.title, row.status
        ('https://example.org/oak', 'Oak', 'ok')
    """
    address = _address(df, url)
    for name in (html, address, charset):
        if name is not None:
            _check_type(df, name, "strings or binary", StringType, BinaryType)
    kept = [name for name in df.columns if name not in (html, charset)] if keep is None else keep
    kept = [kept] if isinstance(kept, str) else list(kept)
    for name in kept:
        _field(df, name)
    _check_names(kept)
    options.setdefault("threads", 1)
    options["model"] = _for_workers(options.get("model", "web"))
    # A wrong option is heard of here and not in a worker.
    columns = {name: pa.array([], pa.binary()) for name in (html, address, charset) if name is not None}
    extract_batch(pa.record_batch(columns), html, address, charset=charset, **options)

    # Nothing else is sent to Python; by numbers, since Spark has no names with dots here.
    place = {name: f"c{i}" for i, name in enumerate(dict.fromkeys([*kept, *columns]))}
    pages = df.select([_column(name).alias(alias) for name, alias in place.items()])
    names = [*kept, *_ANSWER.fieldNames()]

    def extract_partition(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        at = {name: None if name is None else place[name] for name in (html, address, charset)}
        before = [place[name] for name in kept]
        found = extract_batch(batches, place[html], at[address], charset=at[charset], keep=before, **options)
        for batch in found:
            yield batch.rename_columns(names)

    return pages.mapInArrow(extract_partition, StructType([*(_field(df, name) for name in kept), *_ANSWER.fields]))


def count(
    df: DataFrame,
    html: str = "html",
    labels: str = "text",
    url: str | None = "url",
    *,
    config: str = "blocks",
    source: str = "pages",
    depth: int = 2,
    skip_failed: bool = False,
) -> Counts:
    """Counts a DataFrame of pages: each partition counts its own, and the counts are added up by tree aggregation.

    Counts are whole numbers that add up exactly. They are the same for any partitions, with workers that failed, and by
    `Model.count` without Spark.

    Args:
        df: The pages with what is known of them.
        html: The column with the pages: strings, or binary as they came over the network.
        labels: The column with what is known of each, as of `Model.train`: its content as text (string), its annotated
            twin (binary), labels by XPath (map of strings), or a label for each block (array of names or numbers).
        url: The column with their addresses, by which they are called in errors; None if there is none. Left alone if
            the default is not there.
        config: `blocks`, `thesis`, or a configuration as TOML.
        source: What the model notes as the source of its pages.
        depth: Levels of the tree: at each but the last, one task adds up the counts of 32 of the level before. The
            driver gets the rest, some 10 to 100 KB each.
        skip_failed: Leave pages out that cannot be read, or on which their labels have no place, and tell them to the
            logger `duramen` of the worker. Default: the first ends the job.

    Returns:
        The counts: `Model.from_counts(counts)` is the model.

    Raises:
        UsageError: A column is missing or of another type, or the configuration has no counts; before the job starts.
        pyspark.errors.PythonException: A page cannot be used; its text names the page.

    Example:
        >>> import duramen.spark
        >>> from pyspark.sql import SparkSession
        >>> spark = SparkSession.builder.master("local[1]").getOrCreate()
        >>> page = "<h1>Oak</h1><p>The oldest oak of the village fell on Monday night.<footer>Imprint</footer>"
        >>> pages = spark.createDataFrame([(page, {"//h1": "headline", "//p": "full-text"})], ["html", "known"])
        >>> duramen.spark.count(pages, labels="known").n_pages
        1
    """
    address = _check_known(df, html, labels, url)
    if depth < 1:
        raise UsageError(f"depth is {depth}; it is at least 1: the driver adds up what the partitions counted")
    total = Model.count([], [], config=config, source=source)

    def count_partition(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        task = TaskContext.get()
        part = 0 if task is None else task.partitionId()
        counts, row = None, 0
        for batch in batches:
            for start in range(0, batch.num_rows, _COUNTED_AT_ONCE):
                some = batch.slice(start, _COUNTED_AT_ONCE)
                ids = [f"partition {part}, row {row + i}" for i in range(some.num_rows)]
                found = _count_batch(some, ids, config, source, skip_failed)
                counts = found if counts is None else counts + found
                row += some.num_rows
        if counts is not None:
            yield _counts_row(part, counts)

    def add(part: pa.Table) -> pa.Table:
        counts = reduce(Counts.merge, map(Counts.from_bytes, part["counts"].to_pylist()))
        row = pa.Table.from_batches([_counts_row(part["part"][0].as_py() // _ADDED_AT_ONCE, counts)])
        # Spark wants the very types that it gave: large ones if it is set to.
        return row.cast(pa.schema([part.schema.field(name) for name in row.schema.names]))

    schema = "part long, counts binary"
    counted = _known_columns(df, html, labels, address).mapInArrow(count_partition, schema)
    for _ in range(depth - 1):
        counted = counted.groupBy(floor(col("part") / _ADDED_AT_ONCE)).applyInArrow(add, schema)
    for row in counted.select("counts").collect():
        total += Counts.from_bytes(bytes(row.counts))
    return total


def train(
    df: DataFrame,
    html: str = "html",
    labels: str = "text",
    url: str | None = "url",
    *,
    config: str = "blocks",
    weights: bool | None = None,
    em_iterations: int | None = None,
    empirical_priors: bool = False,
    source: str = "pages",
    depth: int = 2,
    skip_failed: bool = False,
    threads: int | None = None,
) -> Model:
    """Trains a model on a DataFrame of pages.

    A model of counts is counted where the pages are, see `count`. What needs all pages at once, which are weights,
    boosted scores and EM, is learned on the driver: it gets all pages, and its memory must hold them unpacked and
    parsed, some ten times their bytes. `spark.driver.maxResultSize` bounds how much Spark sends there (1 GB unless
    set). Take a sample that fits, such as `df.sample(0.01, seed=1)`: weights need thousands of pages, not millions.

    Args:
        df: The pages with what is known of them.
        html: As of `count`, and so `labels`, `url`, `config`, `source`, `depth` and `skip_failed`.
        labels: The column with what is known of each page.
        url: The column with their addresses: folds are grouped by their hosts where weights are learned.
        config: `blocks`, `thesis`, `boosted`, or a configuration as TOML.
        weights: Learn weights over the counts; default for `boosted` alone.
        em_iterations: The most iterations of EM over pages whose labels are not all known; default none.
        empirical_priors: Take the priors that make the counts most probable.
        source: What the model notes as the source of its pages.
        depth: Levels of the tree.
        skip_failed: Leave pages out that cannot be used. Not where pages are sent to the driver.
        threads: Of the driver where it learns; default one for each core.

    Returns:
        The model. It is the same for any partitions: pages that are sent to the driver are put in the order of their
        addresses and bytes.

    Raises:
        UsageError: A column or an option is wrong.
        PageError: A page on the driver cannot be used; for those of workers see `count`.

    Example:
        >>> import duramen.spark
        >>> from pyspark.sql import SparkSession
        >>> spark = SparkSession.builder.master("local[1]").getOrCreate()
        >>> page = "<h1>Oak</h1><p>The oldest oak of the village fell on Monday night.<footer>Imprint</footer>"
        >>> pages = spark.createDataFrame([(page, {"//h1": "headline", "//p": "full-text"})], ["html", "known"])
        >>> duramen.spark.train(pages, labels="known").extract(page).status
        'ok'
    """
    if not (weights or em_iterations is not None or (weights is None and _is_boosted(config))):
        counts = count(df, html, labels, url, config=config, source=source, depth=depth, skip_failed=skip_failed)
        return Model.from_counts(counts, empirical_priors=empirical_priors)
    if skip_failed:
        raise UsageError("skip_failed has no effect beside weights, boosted scores and EM; leave such pages out before")
    address = _check_known(df, html, labels, url)
    table = _known_columns(df, html, labels, address).toArrow()
    pages, known, urls = _lists(table)
    order = sorted(range(len(pages)), key=lambda i: (urls[i] or "", _digest(pages[i])))
    return Model.train(
        [pages[i] for i in order],
        [known[i] for i in order],
        urls=[urls[i] for i in order],
        config=config,
        weights=weights,
        em_iterations=em_iterations,
        empirical_priors=empirical_priors,
        source=source,
        threads=threads,
    )


@dataclass
class _Range(InputPartition):
    """A part of an archive: the records whose member begins in a range of bytes."""

    path: str
    start: int
    end: int


class WarcDataSource(DataSource):
    """Web archives as a DataFrame: `spark.read.format("warc")`, once it is registered.

    The rows are pages, as of `duramen.warc.WarcReader`: answers with HTML and a status of success. Archives may be
    plain, gzip or zstd. Those of a gzip member or zstd frame for each record are shared by several tasks; others are
    read by one.

    | column | |
    |---|---|
    | `record_id` | the WARC-Record-ID, without brackets |
    | `url` | the page's address |
    | `crawled` | when it was crawled, ISO 8601 |
    | `charset` | the charset of the HTTP header |
    | `html` | the body, without transfer and content encoding; null if it cannot be decoded |
    | `record_problem` | why it cannot |

    Where an archive is damaged reading goes on behind the place. It is told to the logger `duramen` of the worker, and
    is a row of its own, with nothing but a `record_problem` that names the file and the byte.

    Options:
        path: A file, a folder (its files `.warc`, `.warc.gz`, `.warc.zst`) or a glob; `load` takes a list of several.
            The driver and all workers must see the files at the same place.
        splitBytes: About how much of a file one task reads, such as `16m`; default `64m`. Smaller parts share the work
            better.
        damageRows: `false` leaves the rows of damaged places out.

    Example:
        >>> import duramen.spark
        >>> from pyspark.sql import SparkSession
        >>> spark = SparkSession.builder.master("local[1]").getOrCreate()
        >>> spark.dataSource.register(duramen.spark.WarcDataSource)
        >>> pages = spark.read.format("warc").option("splitBytes", "16m").load("crawl.warc.gz")
    """

    @classmethod
    def name(cls) -> str:
        return "warc"

    def schema(self) -> str:
        return "record_id string, url string, crawled string, charset string, html binary, record_problem string"

    def reader(self, schema: StructType) -> DataSourceReader:
        return _WarcDataSourceReader(dict(self.options))


class _WarcDataSourceReader(DataSourceReader):
    def __init__(self, options: dict[str, str]) -> None:
        given = {name.lower(): value for name, value in options.items()}
        paths: list[str] = json.loads(given.pop("paths", "[]"))
        if "path" in given:
            paths.append(given.pop("path"))
        self.split = _bytes(given.pop("splitbytes", "64m"))
        rows = given.pop("damagerows", "true").lower()
        if rows not in ("true", "false"):
            raise UsageError(f"damageRows is {rows!r}; it is true or false")
        self.damage_rows = rows == "true"
        if given:
            raise UsageError(f"no option {', '.join(sorted(given))} of warc; known: path, splitBytes, damageRows")
        if not paths:
            raise UsageError('no archive is given; name them by spark.read.format("warc").load("crawl/*.warc.gz")')
        self.files = [file for path in paths for file in _files(path)]

    def partitions(self) -> Sequence[InputPartition]:
        return [part for file in self.files for part in self._parts(file)]

    def _parts(self, file: str) -> Iterator[_Range]:
        try:
            size = os.path.getsize(file)
            with open(file, "rb") as opened:
                is_packed = opened.read(4)[:3] in (b"\x1f\x8b\x08", b"\x28\xb5\x2f", b"\x5d\x2a\x4d")
        except OSError as error:
            raise FileError(f"{file}: {error.strerror}") from error
        # A plain archive belongs to the range from 0 as a whole.
        n = max(1, -(-size // self.split)) if is_packed else 1
        return (_Range(file, size * i // n, size * (i + 1) // n) for i in range(n))

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        if not isinstance(partition, _Range):
            raise TypeError(f"a part of an archive is needed, and this is {type(partition).__name__}")
        rows: list[_Row] = []
        size = 0
        for row in self._rows(partition):
            rows.append(row)
            size += len(row[4] or b"")
            if size >= _BATCH_BYTES or len(rows) >= _BATCH_ROWS:
                yield _batch(rows)
                rows, size = [], 0
        if rows:
            yield _batch(rows)

    def _rows(self, part: _Range) -> Iterator[_Row]:
        reader = WarcReader(part.path, part.start, part.end)
        told = 0

        def damage() -> Iterator[_Row]:
            nonlocal told
            found = reader.damage[told:]
            told += len(found)
            for byte, problem in found:
                text = f"{part.path}: damaged at byte {byte}: {problem}"
                _log.warning("%s", text)
                if self.damage_rows:
                    yield None, None, None, None, None, text

        for page in reader:
            yield from damage()
            yield page.record_id, page.url, page.date, page.charset, page.html, page.problem
        yield from damage()


_Row = tuple[str | None, str | None, str | None, str | None, bytes | None, str | None]
_WARC_SCHEMA = pa.schema([
    ("record_id", pa.string()),
    ("url", pa.string()),
    ("crawled", pa.string()),
    ("charset", pa.string()),
    ("html", pa.binary()),
    ("record_problem", pa.string()),
])
# A batch of pages from an archive ends where either is reached.
_BATCH_BYTES = 16 << 20
_BATCH_ROWS = 1000


def _batch(rows: list[_Row]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, _WARC_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=_WARC_SCHEMA)


def _bytes(text: str) -> int:
    found = re.fullmatch(r"(\d+)([kmg]?)b?", text.strip().lower())
    if found is None or int(found[1]) == 0:
        raise UsageError(f"splitBytes is {text!r}; it is a number of bytes such as 16777216 or 16m")
    return int(found[1]) << {"": 0, "k": 10, "m": 20, "g": 30}[found[2]]


def _files(path: str) -> list[str]:
    """The archives that a path names."""
    if path.startswith("file:"):
        path = unquote(urlsplit(path).path)
    elif "://" in path:
        raise UsageError(f"{path}: archives are read as files; mount the store on driver and workers, or copy them")
    if os.path.isdir(path):
        archives = (".warc", ".warc.gz", ".warc.zst")
        found = sorted(str(file) for file in Path(path).iterdir() if file.name.endswith(archives))
        if not found:
            raise FileError(f"{path}: there is no .warc, .warc.gz or .warc.zst in this folder")
    elif os.path.exists(path):
        found = [path]
    else:
        found = sorted(glob.glob(path, recursive=True))
        if not found:
            raise FileError(f"{path}: no such archive; the driver must see it at this place, and so must all workers")
    return [os.path.abspath(file) for file in found]


def _field(df: DataFrame, name: str) -> StructField:
    found = [field for field in df.schema.fields if field.name == name]
    if not found:
        raise UsageError(f"there is no column {name!r}; the DataFrame has {', '.join(df.columns)}")
    if len(found) > 1:
        raise UsageError(f"there are {len(found)} columns {name!r}; rename or drop one before")
    return found[0]


def _column(name: str) -> Column:
    """A column by its name, which may hold dots."""
    return col("`" + name.replace("`", "``") + "`")


def _check_type(df: DataFrame, name: str, what: str, *types: type[DataType]) -> None:
    kind = _field(df, name).dataType
    if not isinstance(kind, types):
        raise UsageError(f"column {name!r} holds {kind.simpleString()}; it must hold {what}")


def _check_names(kept: Sequence[str]) -> None:
    # Spark tells no columns apart by their case, unless it is told to.
    taken = {field.name.lower() for field in _ANSWER.fields}
    for name in kept:
        if name.lower() in taken:
            raise UsageError(
                f"column {name!r} cannot be kept: the answer has one of that name, or there are two; rename it before, "
                "or leave it out with keep"
            )
        taken.add(name.lower())


def _address(df: DataFrame, url: str | None) -> str | None:
    return None if url == "url" and "url" not in df.columns else url


def _for_workers(model: str | Model) -> str | Model:
    """A model that workers can use, which see no file of the driver."""
    if isinstance(model, Model) or model in _IN_THE_PACKAGE:
        return model
    return Model.load(model) if os.path.isfile(model) else Model.bundled(model)


def _check_known(df: DataFrame, html: str, labels: str, url: str | None) -> str | None:
    address = _address(df, url)
    _check_type(df, html, "strings or binary", StringType, BinaryType)
    if address is not None:
        _check_type(df, address, "strings", StringType)
    kind = _field(df, labels).dataType
    is_map = isinstance(kind, MapType) and all(isinstance(of, StringType) for of in (kind.keyType, kind.valueType))
    is_list = isinstance(kind, ArrayType) and isinstance(kind.elementType, StringType | IntegralType)
    if not (is_map or is_list or isinstance(kind, StringType | BinaryType)):
        raise UsageError(
            f"column {labels!r} holds {kind.simpleString()}; what is known of a page is its text (string), its "
            "annotated twin (binary), labels by XPath (map<string,string>) or a label for each block (array of names "
            "or numbers)"
        )
    return address


def _is_boosted(config: str) -> bool:
    """Whether a configuration is of a model that cannot be counted by parts."""
    if "\n" not in config and "=" not in config:
        return config == "boosted"
    try:
        return tomllib.loads(config).get("boosted") is not None
    except tomllib.TOMLDecodeError:
        # Said where it is read.
        return False


def _known_columns(df: DataFrame, html: str, labels: str, url: str | None) -> DataFrame:
    """The pages, what is known of them and their addresses, in columns without the names of the user."""
    columns = [(html, "html"), (labels, "known"), *([(url, "url")] if url is not None else [])]
    return df.select([_column(name).alias(alias) for name, alias in columns])


def _lists(table: pa.RecordBatch | pa.Table) -> tuple[list[str | bytes], list[Known], list[str | None]]:
    """Pages, what is known of them, and their addresses."""
    known = table["known"].to_pylist()
    if pa.types.is_map(table["known"].type):
        known = [None if pairs is None else dict(pairs) for pairs in known]
    pages = [b"" if page is None else page for page in table["html"].to_pylist()]
    urls = table["url"].to_pylist() if "url" in table.schema.names else [None] * table.num_rows
    return pages, known, urls


def _digest(page: str | bytes) -> bytes:
    return hashlib.sha256(page.encode("utf-8", "surrogatepass") if isinstance(page, str) else page).digest()


def _count_batch(batch: pa.RecordBatch, ids: list[str], config: str, source: str, skip_failed: bool) -> Counts:
    pages, known, urls = _lists(batch)
    ids = [id if url is None else url for id, url in zip(ids, urls, strict=True)]

    def some(start: int, end: int) -> Counts:
        of = slice(start, end)
        try:
            return Model.count(
                pages[of], known[of], urls=urls[of], ids=ids[of], config=config, source=source, threads=1
            )
        except PageError as error:
            if not skip_failed:
                raise
            if end - start == 1:
                _log.warning("%s", error)
                return Model.count([], [], config=config, source=source)
            middle = (start + end) // 2
            return some(start, middle) + some(middle, end)

    return some(0, len(pages))


def _counts_row(part: int, counts: Counts) -> pa.RecordBatch:
    columns = {"part": pa.array([part], pa.int64()), "counts": pa.array([counts.to_bytes()], pa.binary())}
    return pa.RecordBatch.from_pydict(columns)
