"""Duramen in Scrapy: `pip install duramen[scrapy]`.

    ITEM_PIPELINES = {"duramen.integrations.scrapy.DuramenPipeline": 300}
    DURAMEN_MIN_CONFIDENCE = 0.6
    DURAMEN_OPTIONS = {"favor_precision": True}

A spider yields items with a field `html` (a `str`, `bytes`, or the response itself) and perhaps `url`; the pipeline adds text, title, author,
date, language, site, page_type, page_fault, confidence and status, and drops the field `html` unless `DURAMEN_KEEP_HTML` is true.
"""

from __future__ import annotations

from typing import Any

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response

from . import _options

__all__ = ["DuramenPipeline"]


class DuramenPipeline:
    """Adds the content of a page to its item.

    Args:
        min_confidence: Drop items whose expected F1 is below this (`DURAMEN_MIN_CONFIDENCE`). Default none.
        keep_failed: Pass items without a text on, with their status (`DURAMEN_KEEP_FAILED`). Default they are dropped.
        keep_html: Keep the page in the item (`DURAMEN_KEEP_HTML`). Default no.
        options: As of `duramen.bare_extraction` (`DURAMEN_OPTIONS`).
    """

    def __init__(
        self,
        min_confidence: float | None = None,
        keep_failed: bool = False,
        keep_html: bool = False,
        **options: Any,
    ) -> None:
        self.keep_failed = keep_failed
        self.keep_html = keep_html
        self.options = _options.check({**options, "min_confidence": min_confidence})

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DuramenPipeline:
        """A pipeline by the settings of a crawler."""
        settings = crawler.settings
        least = settings.get("DURAMEN_MIN_CONFIDENCE")
        return cls(
            min_confidence=None if least is None else float(least),
            keep_failed=settings.getbool("DURAMEN_KEEP_FAILED"),
            keep_html=settings.getbool("DURAMEN_KEEP_HTML"),
            **settings.getdict("DURAMEN_OPTIONS"),
        )

    def process_item(self, item: Any) -> Any:
        """The item with its content."""
        adapter = ItemAdapter(item)
        html = adapter.get("html")
        if html is None:
            return item
        url, charset = adapter.get("url"), None
        if isinstance(html, Response):
            url = url or html.url
            charset = getattr(html, "encoding", None)
            html = html.body
        found = _options.extract(html, url, {**self.options, "charset": charset} if charset else self.options)
        if not found and not self.keep_failed:
            raise DropItem(f"{found.id}: {found.problem}")
        if not self.keep_html:
            if isinstance(item, dict):
                del item["html"]
            else:
                adapter["html"] = None
        fields = {**_options.metadata(found), "text": found.text}
        known = adapter.field_names()
        for name, value in fields.items():
            if isinstance(item, dict) or name in known:
                adapter[name] = value
        return item
