"""`extract` and `bare_extraction`, with the parameters of trafilatura's functions of these names."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ._document import Document
from ._duramen import Extractor, RepeatList
from ._errors import DuramenWarning, UsageError

if TYPE_CHECKING:
    # Which is built on this module.
    from ._model import Model

_log = logging.getLogger("duramen")
# Whoever wants to see what is logged sets logging up.
_log.addHandler(logging.NullHandler())

#: The labels that are kept unless others are asked for.
ARTICLE = ("headline", "full-text", "supplemental")

_FORMATS = ("csv", "html", "json", "markdown", "txt", "xml", "xmltei")
# What trafilatura has and duramen has no use for, with its default.
_WITHOUT_EFFECT = {
    "fast": False,
    "no_fallback": False,
    "deduplicate": False,
    "date_extraction_params": None,
    "include_formatting": None,
    "settingsfile": None,
    "config": None,
    "options": None,
}


@lru_cache(maxsize=16)
def _by_name(extractor: str, parameters: tuple[tuple[str, Any], ...], version: tuple[int, int] | None) -> Extractor:
    return Extractor(extractor, dict(parameters))


def _version(model: str) -> tuple[int, int] | None:
    """What tells a model's file from the one that was there before; None of a model that is no file."""
    try:
        found = os.stat(model)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _extractor(
    model: str | Model,
    extractor: str | None,
    parameters: Mapping[str, Any] | None,
    favor_precision: bool,
    favor_recall: bool,
) -> Extractor:
    if favor_precision and favor_recall:
        raise UsageError("favor_precision and favor_recall contradict each other; leave one out")
    chosen = dict(parameters or {})
    for name, value in chosen.items():
        if not isinstance(value, str | bool | int | float):
            kind = type(value).__name__
            raise UsageError(f"parameter {name!r} is of type {kind}; it is a number, a text, True or False")
    if favor_precision or favor_recall:
        if extractor not in (None, "hmt"):
            raise UsageError(f"favor_precision and favor_recall are of the model; extractor {extractor!r} has none")
        chosen["beta"] = 0.5 if favor_precision else 2.0
    if extractor not in (None, "hmt"):
        if model != "web":
            raise UsageError(f"a model has no effect on extractor {extractor!r}; leave one of the two out")
        return _by_name(extractor, tuple(sorted(chosen.items())), None)
    if (of_model := getattr(model, "_extractor", None)) is not None:
        made: Extractor = of_model(tuple(sorted(chosen.items())))
        return made
    return _by_name("hmt", tuple(sorted({"model": model, **chosen}.items())), _version(str(model)))


@lru_cache(maxsize=16)
def _list(path: str, version: tuple[int, int] | None) -> RepeatList:
    return RepeatList(path)


def _dropping(system: Extractor, repeats: RepeatList | str | os.PathLike[str] | None) -> Extractor:
    if repeats is None:
        return system
    if not isinstance(repeats, RepeatList):
        path = os.fspath(repeats)
        repeats = _list(path, _version(path))
    return system.dropping(repeats)


def _warn(text: str) -> None:
    warnings.warn(text, DuramenWarning, stacklevel=4)


def _strings(value: str | Sequence[str] | None) -> list[str] | None:
    if value is None:
        return None
    return [value] if isinstance(value, str) else list(value)


def bare_extraction(
    filecontent: str | bytes,
    url: str | None = None,
    *,
    record_id: str | None = None,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = False,
    include_tables: bool = True,
    include_images: bool = False,
    include_links: bool = False,
    output_format: str = "python",
    target_language: str | None = None,
    only_with_metadata: bool = False,
    with_metadata: bool = False,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    prune_xpath: str | Sequence[str] | None = None,
    max_tree_size: int | None = None,
    max_seconds: int | None = None,
    model: str | Model = "web",
    extractor: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    labels: str | Sequence[str] | None = None,
    threshold: float | None = None,
    min_confidence: float | None = None,
    include_hidden: bool = False,
    drop_repeats: RepeatList | str | os.PathLike[str] | None = None,
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
    charset: str | None = None,
    **others: Any,
) -> Document:
    """Extracts a page, and gives all that is known of it.

    Args:
        filecontent: The page, as it came over the network (`bytes`) or decoded (`str`).
        url: Its address, if known: links become absolute, and pages without a name of their own are called by it.
        record_id: The page's name in the document; default its address.
        favor_precision: Leave text out rather than keep boilerplate (beta 0.5).
        favor_recall: Keep boilerplate rather than leave text out (beta 2).
        include_comments: Keep readers' comments. Default False, where trafilatura has True.
        include_tables: False writes the cells of tables as paragraphs.
        include_images: Tell the article's images from others: `document.images`, and their place in Markdown and HTML.
        include_links: Write links, in Markdown and HTML.
        output_format: Of no meaning here; see `extract`.
        target_language: A language such as `de`: a page in another has the status `unsure`.
        only_with_metadata: A page without title, date and address has the status `unsure`.
        with_metadata: Of no meaning here; see `extract`.
        url_blacklist: Addresses of pages that are not wanted.
        author_blacklist: Names of authors that are not told.
        prune_xpath: XPath 1.0, or several, of what is not kept whatever it is.
        max_tree_size: The most nodes of a page; a larger one has the status `too-large`. Default 1,000,000.
        max_seconds: The most seconds that the page may take; one that takes longer has the status `timeout`. The clock is read between
            steps of the work. Default no bound.
        model: A model by its name or file (`web`, `web-blocks`, `mine.json`), or a `Model`.
        extractor: Another system by its id, see `duramen.extractors()`; default the model.
        parameters: Parameters of the extractor, such as `{"convention": "everything"}`.
        labels: The labels to keep, of `duramen.LABELS`; default headline, full-text, supplemental.
        threshold: Keep text whose probability of these labels is at least this, whatever its own label.
        min_confidence: A page whose expected F1 is below this has the status `unsure` and no text.
        include_hidden: Keep text that the page hides from its readers as any other.
        drop_repeats: A list of `duramen site-repeats --jsonl`, as its file or as `duramen.RepeatList`: text that it has for the page's
            site is not kept. What that costs: GUIDE, *Text that a site repeats*.
        max_tokens: Keep at most so many tokens: the most probable blocks, in page order. Code, tables and quotations are kept whole or
            not at all.
        count_tokens: How many tokens a text has, such as `lambda text: len(tokenizer.encode(text))`; default its words.
        charset: The charset of the HTTP header, if known; of no meaning for `str`.
        others: Parameters of trafilatura's that have no effect here; each that is given is warned of.

    Returns:
        The document. What is wrong with the page is its `status` and `problem`; `bool(document)` is True where the status is
        `ok`.

    Raises:
        UsageError: An argument is wrong.
        TypeError: The page is neither str nor bytes.

    Example:
        >>> import duramen
        >>> page = "<title>Oak</title><nav><a href=/>Home</a></nav><h1>Oak</h1><p>The oldest oak of the village fell on Monday."
        >>> document = duramen.bare_extraction(page, url="https://example.org/oak")
        >>> document.title, document.status
        ('Oak', 'ok')
    """
    for name, value in others.items():
        if name == "tei_validation":
            if value:
                raise UsageError("tei_validation: duramen does not check its TEI against the schema; leave it out")
        elif name == "as_dict":
            if value:
                raise UsageError("as_dict: a document has the method as_dict(); leave this out")
        elif name not in _WITHOUT_EFFECT:
            raise TypeError(f"unexpected keyword argument {name!r}")
        elif value != _WITHOUT_EFFECT[name]:
            _warn(f"{name} has no effect in duramen; leave it out")
    if labels is not None and include_comments:
        raise UsageError("include_comments has no effect beside labels; add 'comments' to these")
    if count_tokens is not None and max_tokens is None:
        raise UsageError("count_tokens has no effect without max_tokens; give both")
    wanted = _strings(labels)
    if include_comments:
        wanted = [*ARTICLE, "comments"]
    system = _dropping(_extractor(model, extractor, parameters, favor_precision, favor_recall), drop_repeats)
    if include_comments and not system.tells_comments:
        _warn(f"include_comments has no effect: extractor {system.id!r}, as it is set, does not tell comments")
    extracted = system.extract(
        filecontent,
        url=url,
        id=record_id,
        charset=charset,
        labels=wanted,
        threshold=threshold,
        min_confidence=min_confidence,
        hidden=include_hidden,
        max_tokens=max_tokens,
        count_tokens=count_tokens,
        tables=include_tables,
        images=include_images,
        target_language=target_language,
        only_with_metadata=only_with_metadata,
        prune=_strings(prune_xpath),
        max_nodes=max_tree_size,
        max_seconds=max_seconds,
    )
    document = Document(extracted)
    if document and url_blacklist and document.url in url_blacklist:
        extracted.withhold("its address is in url_blacklist")
    if author_blacklist and document.author in author_blacklist:
        extracted.forget_author()
    return document


def extract(
    filecontent: str | bytes,
    url: str | None = None,
    *,
    output_format: str = "txt",
    include_comments: bool = False,
    include_tables: bool = True,
    include_images: bool = False,
    include_links: bool = False,
    with_metadata: bool = False,
    table_format: str = "gfm",
    **options: Any,
) -> str | None:
    """Extracts a page, as text in a format: the bytes that `duramen extract` writes.

    Args:
        filecontent: The page, as it came over the network (`bytes`) or decoded (`str`).
        url: Its address, if known.
        output_format: txt, markdown, html, json, csv, xml or xmltei.
        include_comments: Keep readers' comments. Default False, where trafilatura has True.
        include_tables: False writes the cells of tables as paragraphs.
        include_images: Write images, in Markdown, HTML and JSON.
        include_links: Write links, in Markdown and HTML.
        with_metadata: Begin text and Markdown with title, author, date, language, site and address.
        table_format: How Markdown has data tables: gfm (with pipes; as HTML where cells span others), html, csv or records (a list with
            an item `column: value; column: value` for each row).
        options: All others of `bare_extraction`.

    Returns:
        The text, or None where the page has none: the logger `duramen` says why. `bare_extraction` tells it as `status`.

    Raises:
        UsageError: An argument is wrong.
        TypeError: The page is neither str nor bytes.

    Example:
        >>> import duramen
        >>> duramen.extract("<h1>Oak</h1><p>The oldest oak of the village fell on Monday night, after a storm.")
        'Oak\\n\\nThe oldest oak of the village fell on Monday night, after a storm.\\n'
    """
    if output_format not in _FORMATS:
        known = ", ".join(_FORMATS)
        raise UsageError(f"output_format is {output_format!r}; it is one of {known}")
    if with_metadata and output_format not in ("txt", "markdown"):
        _warn_here(f"with_metadata has no effect on {output_format}, which has the metadata anyway")
    marked_up = ("markdown", "html", "xml", "xmltei")
    if table_format != "gfm" and output_format != "markdown":
        _warn_here(f"table_format has no effect on {output_format}; use markdown")
    if include_links and output_format not in marked_up:
        _warn_here(f"include_links has no effect on {output_format}; use markdown, html, xml or xmltei")
    if include_images and output_format not in (*marked_up, "json"):
        _warn_here(f"include_images has no effect on {output_format}; use markdown, html, xml, xmltei or json")
    document = bare_extraction(
        filecontent,
        url,
        include_comments=include_comments,
        include_tables=include_tables,
        include_images=include_images,
        **options,
    )
    if not document:
        _log.warning("%s: left out: %s", document.id, document.problem)
        return None
    return document._extracted.body(
        output_format,
        tables=include_tables,
        links=include_links,
        images=include_images,
        with_metadata=with_metadata and output_format in ("txt", "markdown"),
        table_format=table_format,
    )


def _warn_here(text: str) -> None:
    warnings.warn(text, DuramenWarning, stacklevel=3)
