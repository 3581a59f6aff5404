"""`extract_batch`, tables of pages to tables of texts: one function for Arrow, Spark, Ray, DuckDB and Polars."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from . import _duramen
from ._errors import needed
from ._extract import _dropping, _extractor, _strings

if TYPE_CHECKING:
    from ._duramen import RepeatList

    # Which is built on this module.
    from ._model import Model


@runtime_checkable
class ArrowArray(Protocol):
    """A record batch of any library that speaks Arrow's C data interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


@runtime_checkable
class ArrowStream(Protocol):
    """A table of any library that speaks Arrow's C data interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Table: TypeAlias = ArrowArray | ArrowStream | Iterable[ArrowArray] | Sequence[bytes] | Sequence[str]


def extract_batch(
    table: Table,
    html: str = "html",
    url: str | None = "url",
    *,
    charset: str | None = None,
    keep: Sequence[str] = (),
    favor_precision: bool = False,
    favor_recall: bool = False,
    model: str | Model = "web",
    extractor: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    labels: str | Sequence[str] | None = None,
    threshold: float | None = None,
    min_confidence: float | None = None,
    include_hidden: bool = False,
    drop_repeats: RepeatList | str | os.PathLike[str] | None = None,
    max_seconds: int | None = None,
    threads: int | None = None,
    progress: bool | Callable[[str, int, int], object] | None = None,
) -> Any:
    """Extracts a table of pages.

    Args:
        table: A record batch or table of pyarrow, Polars, DuckDB or any library that speaks Arrow's C data interface; or an
            iterator over record batches, as `mapInArrow` gives it; or a list of pages, all `bytes` or all `str`.
        html: The column with the pages: strings, or binary as they came over the network.
        url: The column with their addresses; None if there is none. Left alone if the default is not there.
        charset: The column with the charsets of HTTP headers, if there is one.
        keep: Columns of the table that stand before the answer's, such as a key.
        favor_precision: As of `bare_extraction`, and so the other arguments.
        favor_recall: Keep boilerplate rather than leave text out.
        model: A model by its name or file, or a `Model`.
        extractor: Another system by its id.
        parameters: Parameters of the extractor.
        labels: The labels to keep.
        threshold: Keep text whose probability of these labels is at least this.
        min_confidence: Withhold the text of pages whose expected F1 is below this.
        include_hidden: Keep text that pages hide from their readers as any other.
        drop_repeats: A list of `duramen site-repeats --jsonl`, as its file or as `duramen.RepeatList`: text that it has for the page's
            site is not kept. What that costs: GUIDE, *Text that a site repeats*.
        max_seconds: The most seconds that a page may take; one that takes longer has the status `timeout`. Default no bound.
        threads: Default one for each core; in a pipeline that has processes of its own, 1. The threads are made for each call,
            so that it may be called after a `fork`.
        progress: True for a bar, by tqdm, or a function that is called with stage, pages done and pages; of an iterator for each
            batch anew.

    Returns:
        A `pyarrow.RecordBatch` with the columns kept, then text, title, date, language, page_type (the most
        probable), page_fault (null where none is as probable as one half), confidence, status and problem; of an
        iterator an iterator over these. A page that fails is a row with its status; unless that is `ok` the text is null.

    Raises:
        UsageError: A column is not there or cannot be used.
        TypeError: The table is none of these.
        MissingPackageError: pyarrow is not installed, or tqdm and a bar was asked for.

    Example:
        >>> import duramen
        >>> found = duramen.extract_batch(["<p>The oldest oak of the village fell on Monday night.", ""])
        >>> found["status"].to_pylist()
        ['ok', 'empty']
    """
    system = _dropping(_extractor(model, extractor, parameters, favor_precision, favor_recall), drop_repeats)
    pyarrow = needed("pyarrow", "tables")

    def of(batch: Any) -> Any:
        if not hasattr(batch, "__arrow_c_array__"):
            raise _no_table(f"the iterator has a {type(batch).__name__}")
        address = url
        if address == "url" and "url" not in _names(batch):
            address = None
        return _duramen.extract_batch(
            system,
            batch,
            html,
            address,
            charset,
            list(keep),
            _strings(labels),
            threshold,
            min_confidence,
            include_hidden,
            max_seconds,
            threads,
            progress,
        )

    if hasattr(table, "__arrow_c_array__"):
        return of(table)
    if isinstance(table, list | tuple) and table:
        kinds = {type(item) for item in table}
        if kinds in ({bytes}, {str}):
            pages = pyarrow.array(table, pyarrow.large_binary() if kinds == {bytes} else pyarrow.large_string())
            return of(pyarrow.RecordBatch.from_arrays([pages], names=[html]))
        if wrong := [item for item in table if not hasattr(item, "__arrow_c_array__")]:
            raise _no_table(f"the {type(table).__name__} holds a {type(wrong[0]).__name__}")
    # A reader is both a stream and an iterator over its batches.
    if isinstance(table, Iterator):
        return _each(of, table)
    if hasattr(table, "__arrow_c_stream__"):
        whole = pyarrow.table(table).combine_chunks()
        batches = whole.to_batches()
        if len(batches) == 1:
            return of(batches[0])
        schema = whole.schema
        arrays = [pyarrow.concat_arrays(column.chunks) if column.num_chunks else pyarrow.array([], field.type)
                  for column, field in zip(whole.columns, schema, strict=True)]
        return of(pyarrow.RecordBatch.from_arrays(arrays, schema=schema))
    if isinstance(table, Iterable) and not isinstance(table, str | bytes | Mapping):
        return _each(of, table)
    raise _no_table(f"this is a {type(table).__name__}")


def _no_table(found: str) -> TypeError:
    return TypeError(
        f"extract_batch takes a record batch or table of Arrow, an iterator over record batches, or a list of pages (all bytes or all "
        f"str), and {found}; make a table with pyarrow.table({{'html': pages}})"
    )


def _each(of: Any, batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield of(batch)


def _names(batch: Any) -> Sequence[str]:
    schema = getattr(batch, "schema", None)
    return list(getattr(schema, "names", schema) or ())
