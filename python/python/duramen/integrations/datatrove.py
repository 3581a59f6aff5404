"""Duramen in datatrove: `pip install duramen[datatrove]`.

    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import JsonlWriter
    from duramen.integrations.datatrove import DuramenWithConfidence

    LocalPipelineExecutor([
        WarcReader("crawl", glob_pattern="*.warc.gz"),
        DuramenWithConfidence(min_confidence=0.6),
        JsonlWriter("texts"),
    ]).run()
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.utils.typeshelper import StatHints

from . import _options

__all__ = ["Duramen", "DuramenWithConfidence"]


class Duramen(BaseExtractor):
    """Extracts pages in a process of their own, as datatrove's other extractors do: text alone, by its limit of time.

    Args:
        timeout: Seconds for a page, and for the process to start.
        options: As of `duramen.bare_extraction`.
    """

    name = "🌳 Duramen"

    def __init__(self, timeout: float = 5, **options: Any) -> None:
        super().__init__(timeout)
        self.options = _options.check(options)

    def extract(self, text: str) -> str:
        """The text of a page; nothing of a page without one, which datatrove drops and counts."""
        return _options.extract(text, None, self.options).text


class DuramenWithConfidence(PipelineStep):
    """Extracts pages and writes into their metadata what is known of them: title, date, language, page_type, page_fault, confidence,
    status.

    It runs in the worker itself, without a process for each: a page costs some milliseconds, and its size is bounded. Addresses are
    read from `metadata["url"]`.

    Args:
        min_confidence: Drop pages whose expected F1 is below this. Default none.
        keep_failed: Pass pages without a text on, with their status, in place of dropping them.
        options: As of `duramen.bare_extraction`.
    """

    name = "🌳 Duramen with confidence"
    type = "🛢 - EXTRAC"

    def __init__(self, min_confidence: float | None = None, keep_failed: bool = False, **options: Any) -> None:
        super().__init__()
        self.keep_failed = keep_failed
        self.options = _options.check({**options, "min_confidence": min_confidence})

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """Extracts each document of the pipeline."""
        for document in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                found = _options.extract(document.text, document.metadata.get("url"), self.options)
                document.text = found.text
                document.metadata |= _options.metadata(found)
                if found.problem is not None:
                    document.metadata["problem"] = found.problem
            self.stat_update(found.status)
            if found or self.keep_failed:
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document
            else:
                self.stat_update(StatHints.dropped)
