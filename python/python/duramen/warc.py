"""Pages of web archives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from ._duramen import WarcRecords

__all__ = ["WarcPage", "WarcReader"]


@dataclass(frozen=True)
class WarcPage:
    """A page of a web archive.

    Example:
        >>> from duramen.warc import WarcPage
        >>> WarcPage("urn:uuid:1", "https://example.org/", None, None, b"<p>Oak", None).html
        b'<p>Oak'
    """

    record_id: str
    """The WARC-Record-ID, without brackets."""
    url: str | None
    """The page's address."""
    date: str | None
    """When it was crawled, ISO 8601."""
    charset: str | None
    """The charset of the HTTP header."""
    html: bytes | None
    """The body, without transfer and content encoding; None if it cannot be decoded."""
    problem: str | None
    """Why it cannot."""


class WarcReader:
    """Iterates over the pages of an archive (plain, gzip, zstd with dictionary): answers with HTML and a status of success.

    Args:
        path: The archive.
        start: Read records whose member begins at this byte or behind it,
        end: and before this one. Ranges that follow each other share an archive without a loss; one that is plain, or a single
            member, belongs to the range from 0.

    Where the archive is damaged reading goes on behind the place, and `damage` names it.

    Example:
        >>> import tempfile
        >>> from duramen.warc import WarcReader
        >>> answer = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n<p>Oak"
        >>> head = (
        ...     "WARC/1.1\\r\\nWARC-Type: response\\r\\nWARC-Record-ID: <urn:uuid:1>\\r\\nWARC-Target-URI: https://example.org/\\r\\n"
        ...     "WARC-Date: 2026-01-01T00:00:00Z\\r\\nContent-Type: application/http; msgtype=response\\r\\n"
        ...     f"Content-Length: {len(answer)}\\r\\n\\r\\n"
        ... )
        >>> with tempfile.NamedTemporaryFile(suffix=".warc") as file:
        ...     _ = file.write(head.encode() + answer + b"\\r\\n\\r\\n")
        ...     file.flush()
        ...     [page.html for page in WarcReader(file.name)]
        [b'<p>Oak']
    """

    def __init__(self, path: str | os.PathLike[str], start: int = 0, end: int | None = None) -> None:
        self._records = WarcRecords(path, start, end)

    def __iter__(self) -> Iterator[WarcPage]:
        return (WarcPage(*record) for record in self._records)

    @property
    def damage(self) -> list[tuple[int, str]]:
        """The places that could not be read so far: the byte, and what is wrong there."""
        return self._records.damage
