"""`Document`, what was found on a page, and `Blocks`, its text nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ._duramen import LABELS, Extracted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FIELDS = (
    "title",
    "author",
    "url",
    "hostname",
    "description",
    "site",
    "date",
    "id",
    "text",
    "comments",
    "language",
    "confidence",
    "status",
    "problem",
    "page_type",
)
# Names that trafilatura has for them.
_OTHER_NAMES = {"sitename": "site", "pagetype": "page_type", "raw_text": "text"}


@dataclass(frozen=True)
class Block:
    """One text node of a page."""

    xpath: str
    """The path that selects it."""
    tag: str
    """The name of the element that it stands in."""
    label: str
    """Its label, one of `duramen.LABELS`."""
    kept: bool
    """Whether it is part of the text."""
    probabilities: dict[str, float] | None
    """The probability of each label; None of extractors that are no probability models."""
    text: str
    """Its text, white space folded."""

    @property
    def confidence(self) -> float | None:
        """The probability of its label."""
        return None if self.probabilities is None else self.probabilities[self.label]


class Blocks:
    """The shown text nodes of a page in document order: a sequence of `Block`, and its columns as arrays."""

    def __init__(self, extracted: Extracted) -> None:
        columns = extracted.blocks()
        self.xpaths: list[str] = columns[0]
        """The paths that select them."""
        self.tags: list[str] = columns[1]
        """The names of the elements that they stand in."""
        self.labels: NDArray[np.uint8] = columns[2]
        """The numbers of their labels: positions in `duramen.LABELS`."""
        self.kept: NDArray[np.bool_] = columns[3]
        """Whether they are part of the text."""
        self.probabilities: NDArray[np.float64] | None = columns[4]
        """P(label), shape: blocks x 6 labels, rows sum to 1; None of extractors that are no probability models."""
        self.texts: list[str] = columns[5]
        """Their texts, white space folded."""

    def __len__(self) -> int:
        return len(self.xpaths)

    def __getitem__(self, index: int) -> Block:
        index = range(len(self))[index]
        row = None
        if self.probabilities is not None:
            row = dict(zip(LABELS, self.probabilities[index].tolist(), strict=True))
        label = LABELS[int(self.labels[index])]
        return Block(self.xpaths[index], self.tags[index], label, bool(self.kept[index]), row, self.texts[index])

    def __iter__(self) -> Iterator[Block]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} blocks, {int(self.kept.sum())} kept>"


class Document:
    """What was found on a page. Fields are attributes, and keys (`document["title"]`, `document.get("title")`).

    A page that could not be extracted is a document too: `status` says why, and `bool(document)` is False.
    """

    def __init__(self, extracted: Extracted) -> None:
        self._extracted = extracted
        self._blocks: Blocks | None = None

    @property
    def id(self) -> str:
        """The page's name: what was given, else its address."""
        return self._extracted.id

    @property
    def url(self) -> str | None:
        """The page's address: the one given, else the one it states."""
        return self._extracted.url

    @property
    def hostname(self) -> str | None:
        """The host of the address."""
        return urlsplit(self.url).hostname if self.url else None

    @property
    def status(self) -> str:
        """`ok`; `empty` if the page shows no text or none is kept; `unsure` if the confidence is below `min_confidence`;
        else `too-large`, `timeout`, `error` or `n/a`."""
        return self._extracted.status

    @property
    def problem(self) -> str | None:
        """Why the status is not `ok`; or, if it is, that words look as if they were read in a wrong encoding."""
        return self._extracted.problem

    @property
    def title(self) -> str | None:
        """The title."""
        return self._extracted.title

    @property
    def author(self) -> str | None:
        """The author or authors."""
        return self._extracted.author

    @property
    def date(self) -> str | None:
        """When the page was published, ISO 8601 where it could be read."""
        return self._extracted.date

    @property
    def language(self) -> str | None:
        """The language, a BCP 47 tag."""
        return self._extracted.language

    @property
    def site(self) -> str | None:
        """The site's name."""
        return self._extracted.site

    @property
    def description(self) -> str | None:
        """The page's own summary."""
        return self._extracted.description

    @property
    def confidence(self) -> float | None:
        """The F1 of the kept words that the model expects, 0 to 1; None of extractors that are no probability models."""
        return self._extracted.confidence

    @property
    def page_type(self) -> dict[str, float] | None:
        """The probability of each type of page; None of a model that tells no types."""
        return self._extracted.page_type

    @property
    def words(self) -> dict[str, int]:
        """The number of words under each label."""
        return self._extracted.words

    @property
    def text(self) -> str:
        """The kept text; empty unless the status is `ok`."""
        return self._extracted.text

    @property
    def comments(self) -> str:
        """The text of readers' comments, of models that find them."""
        return self._extracted.text_of(["comments"])

    @property
    def blocks(self) -> Blocks:
        """The shown text nodes with XPath, label and probabilities. Needs numpy."""
        if self._blocks is None:
            self._blocks = Blocks(self._extracted)
        return self._blocks

    @property
    def images(self) -> list[dict[str, Any]]:
        """The kept images, if `include_images` was asked for: address, caption, credit, probability."""
        return json.loads(self._extracted.images_json())

    def to_text(self, *, with_metadata: bool = False) -> str:
        """The text, with metadata before it if asked for."""
        return self._extracted.body("txt", with_metadata=with_metadata)

    def to_markdown(self, *, links: bool = False, images: bool = False, with_metadata: bool = False) -> str:
        """The text as CommonMark with tables."""
        return self._extracted.body("markdown", links=links, images=images, with_metadata=with_metadata)

    def to_html(self, *, links: bool = False, images: bool = False) -> str:
        """The text as a clean HTML document."""
        return self._extracted.body("html", links=links, images=images)

    def to_json(self) -> str:
        """The record, as the program writes it with `--json`."""
        return self._extracted.body("json")

    def as_dict(self) -> dict[str, Any]:
        """The fields by their names."""
        return {name: getattr(self, name) for name in _FIELDS}

    def get(self, name: str, default: Any = None) -> Any:
        """A field by its name, `default` where there is no such field or it is not known."""
        try:
            value = self[name]
        except KeyError:
            return default
        return default if value is None else value

    def __getitem__(self, name: str) -> Any:
        name = _OTHER_NAMES.get(name, name)
        if name not in _FIELDS:
            raise KeyError(name)
        return getattr(self, name)

    def keys(self) -> tuple[str, ...]:
        """The names of the fields."""
        return _FIELDS

    def __bool__(self) -> bool:
        return self.status == "ok"

    def __repr__(self) -> str:
        if not self:
            return f"<Document {self.id!r}: {self.status}, {self.problem}>"
        sure = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        return f"<Document {self.title or self.id!r}: {len(self.text.split())} words{sure}>"
