"""What every pipeline passes on to `duramen.bare_extraction`."""

from __future__ import annotations

from typing import Any

from .._document import Document
from .._errors import UsageError
from .._extract import bare_extraction


def check(options: dict[str, Any]) -> dict[str, Any]:
    """The options, of which a wrong one is heard of when the pipeline is made and not in its workers."""
    for name in ("filecontent", "url", "as_dict"):
        if name in options:
            raise UsageError(f"{name} is given by the pipeline; leave it out")
    bare_extraction("<p>oak", **options)
    return options


def extract(page: str | bytes, url: str | None, options: dict[str, Any]) -> Document:
    return bare_extraction(page, url, **options)


def metadata(document: Document) -> dict[str, Any]:
    """What is known of a page, without what is not."""
    fields = {
        "url": document.url,
        "title": document.title,
        "author": document.author,
        "date": document.date,
        "language": document.language,
        "site": document.site,
        "page_type": document.most_probable_type,
        "page_fault": document.most_probable_fault,
        "confidence": document.confidence,
        "status": document.status,
    }
    return {name: value for name, value in fields.items() if value is not None}
