"""Pages of web archives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from ._duramen import WarcRecords

__all__ = ["WarcPage", "WarcReader"]


@dataclass(frozen=True)
class WarcPage:
    """A page of a web archive."""

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
    """

    def __init__(self, path: str | os.PathLike[str], start: int = 0, end: int | None = None) -> None:
        self._records = WarcRecords(path, start, end)

    def __iter__(self) -> Iterator[WarcPage]:
        return (WarcPage(*record) for record in self._records)

    @property
    def damage(self) -> list[tuple[int, str]]:
        """The places that could not be read so far: the byte, and what is wrong there."""
        return self._records.damage
