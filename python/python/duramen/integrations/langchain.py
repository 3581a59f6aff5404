"""Duramen in LangChain: `pip install duramen[langchain]`.

    from langchain_core.document_loaders import Blob
    from duramen.integrations.langchain import DuramenParser

    documents = DuramenParser(mode="blocks").parse(Blob.from_path("page.html"))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.document_loaders import BaseBlobParser, Blob
from langchain_core.documents import BaseDocumentTransformer, Document

from .._document import Document as Extracted
from .._errors import PageError, UsageError
from . import _options

__all__ = ["DuramenParser", "DuramenTransformer"]


def _check(mode: str, options: dict[str, Any]) -> dict[str, Any]:
    if mode not in ("page", "blocks"):
        raise UsageError(f"mode is {mode!r}; it is 'page' or 'blocks'")
    return _options.check(options)


def _documents(found: Extracted, mode: str, source: str | None, known: dict[str, Any]) -> Iterator[Document]:
    shared = {**known, **_options.metadata(found)}
    if source is not None:
        shared.setdefault("source", source)
    if mode == "page":
        yield Document(page_content=found.text, metadata=shared)
        return
    for block in found.blocks:
        if block.kept:
            of_block = {"xpath": block.xpath, "label": block.label, "label_probability": block.confidence}
            yield Document(page_content=block.text, metadata={**shared, **of_block})


class DuramenParser(BaseBlobParser):
    """Parses HTML into its content.

    Args:
        mode: `"page"` for one document of the whole text, `"blocks"` for one of each kept block, with XPath, label and the
            probability of the label in its metadata.
        skip_failed: Give nothing for a page without a text, in place of raising `duramen.PageError`.
        options: As of `duramen.bare_extraction`.
    """

    def __init__(self, mode: str = "page", skip_failed: bool = False, **options: Any) -> None:
        self.mode = mode
        self.skip_failed = skip_failed
        self.options = _check(mode, options)

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """The documents of a page."""
        content = blob.data if isinstance(blob.data, str | bytes) else blob.as_bytes()
        source = blob.source
        url = source if source and source.startswith(("http://", "https://")) else None
        found = _options.extract(content, url, self.options)
        if found:
            yield from _documents(found, self.mode, source, blob.metadata)
        elif not self.skip_failed:
            raise PageError(f"{source or found.id}: {found.problem}")


class DuramenTransformer(BaseDocumentTransformer):
    """Turns documents that hold HTML, such as those of an HTML loader, into their content. Those without any are left out.

    Args:
        mode: As of `DuramenParser`.
        options: As of `duramen.bare_extraction`.
    """

    def __init__(self, mode: str = "page", **options: Any) -> None:
        self.mode = mode
        self.options = _check(mode, options)

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        """The content of each document."""
        result: list[Document] = []
        for document in documents:
            source = document.metadata.get("source")
            url = document.metadata.get("url") or (source if str(source).startswith("http") else None)
            found = _options.extract(document.page_content, url, self.options)
            if found:
                result.extend(_documents(found, self.mode, source, document.metadata))
        return result
