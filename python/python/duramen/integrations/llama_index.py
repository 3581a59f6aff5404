"""Duramen in LlamaIndex: `pip install duramen[llama-index]`.

    from duramen.integrations.llama_index import DuramenReader

    documents = DuramenReader(mode="blocks").load_data(["page.html"])
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from .._document import Document as Extracted
from .._errors import PageError, UsageError
from . import _options

__all__ = ["DuramenReader"]


class DuramenReader(BaseReader):
    """Reads HTML files into their content; also as `file_extractor={".html": DuramenReader()}` of a `SimpleDirectoryReader`.

    Args:
        mode: `"page"` for one document of the whole text, `"blocks"` for one of each kept block, with XPath, label and the
            probability of the label in its metadata.
        skip_failed: Give nothing for a page without a text, in place of raising `duramen.PageError`.
        options: As of `duramen.bare_extraction`.
    """

    def __init__(self, mode: str = "page", skip_failed: bool = False, **options: Any) -> None:
        if mode not in ("page", "blocks"):
            raise UsageError(f"mode is {mode!r}; it is 'page' or 'blocks'")
        self.mode = mode
        self.skip_failed = skip_failed
        self.options = _options.check(options)

    def lazy_load_data(
        self,
        file: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        extra_info: dict[str, Any] | None = None,
        **_: Any,
    ) -> Iterator[Document]:
        """The documents of one file or several."""
        files = [file] if isinstance(file, str | os.PathLike) else file
        for path in files:
            yield from self.load_html(Path(path).read_bytes(), source=str(path), extra_info=extra_info)

    def load_html(
        self,
        html: str | bytes,
        *,
        url: str | None = None,
        source: str | None = None,
        extra_info: dict[str, Any] | None = None,
    ) -> list[Document]:
        """The documents of a page that is at hand."""
        found = _options.extract(html, url, self.options)
        if not found:
            if self.skip_failed:
                return []
            raise PageError(f"{source or found.id}: {found.problem}")
        shared = {**(extra_info or {}), **_options.metadata(found)}
        if source is not None:
            shared["source"] = source
        return list(self._documents(found, shared))

    def _documents(self, found: Extracted, shared: dict[str, Any]) -> Iterator[Document]:
        if self.mode == "page":
            yield Document(text=found.text, metadata=shared)
            return
        for block in found.blocks:
            if block.kept:
                of_block = {"xpath": block.xpath, "label": block.label, "label_probability": block.confidence}
                yield Document(text=block.text, metadata={**shared, **of_block})
