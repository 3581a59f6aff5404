"""Duramen in NeMo Curator: `pip install duramen[nemo-curator]`.

    from duramen.integrations.nemo_curator import DuramenAlgorithm, DuramenExtractor

    CommonCrawlDownloadExtractStage(..., html_extraction=DuramenAlgorithm())

NeMo asks an algorithm only for pages in a language that it has stop words for. `DuramenExtractor` takes all, tells the encoding by
itself, and keeps title, date, language, page_type, page_fault, confidence and status.
"""

from __future__ import annotations

from typing import Any

from nemo_curator.stages.text.download import DocumentExtractor
from nemo_curator.stages.text.download.html_extractors import HTMLExtractorAlgorithm

from . import _options

__all__ = ["DuramenAlgorithm", "DuramenExtractor"]


class DuramenAlgorithm(HTMLExtractorAlgorithm):
    """The algorithm of a NeMo Curator extraction stage.

    Args:
        options: As of `duramen.bare_extraction`.
    """

    def __init__(self, **options: Any) -> None:
        self.options = _options.check(options)

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:
        """The text of a page as one piece, None if it has none. Stop words and language are not needed."""
        document = _options.extract(html, None, self.options)
        return [document.text] if document else None


class DuramenExtractor(DocumentExtractor):
    """Extracts records of a download with all that is known of them, and drops none for its language.

    Args:
        min_confidence: Leave pages out whose expected F1 is below this. Default none.
        options: As of `duramen.bare_extraction`.
    """

    def __init__(self, min_confidence: float | None = None, **options: Any) -> None:
        super().__init__()
        self.options = _options.check({**options, "min_confidence": min_confidence})

    def extract(self, record: dict[str, Any]) -> dict[str, Any] | None:
        """A record with text, title, date, language, page_type, page_fault (None where none is as probable as one half), confidence and
        status; None for a page without a text."""
        content = record.get("content")
        if not content:
            return None
        document = _options.extract(content, record.get("url"), self.options)
        if not document:
            return None
        return {
            "url": record.get("url"),
            "warc_id": record.get("warc_id"),
            "source_id": record.get("source_id"),
            "language": document.language,
            "text": document.text,
            "title": document.title,
            "date": document.date,
            "page_type": document.most_probable_type,
            "page_fault": document.most_probable_fault,
            "confidence": document.confidence,
            "status": document.status,
        }

    def input_columns(self) -> list[str]:
        """The columns that it reads."""
        return ["url", "warc_id", "source_id", "content"]

    def output_columns(self) -> list[str]:
        """The columns that it writes."""
        kept = ["url", "warc_id", "source_id"]
        return [*kept, "language", "text", "title", "date", "page_type", "page_fault", "confidence", "status"]
