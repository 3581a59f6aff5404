"""`Document`, what was found on a page, and `Blocks`, its text nodes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from ._duramen import LABELS, Extracted
from ._errors import UsageError, needed

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
    "date_modified",
    "image",
    "license",
    "categories",
    "tags",
    "fingerprint",
    "id",
    "text",
    "comments",
    "language",
    "confidence",
    "status",
    "problem",
    "page_type",
    "page_fault",
    "hidden_words",
    "repeated_words",
)
# Names that trafilatura has for them.
_OTHER_NAMES = {"sitename": "site", "excerpt": "description", "pagetype": "page_type", "raw_text": "text"}
# How the text may be written: format, links, images, metadata.
_BODIES = (
    ("json", False, False, False),
    ("structure", True, True, False),
    *(("txt", False, False, metadata) for metadata in (False, True)),
    *(("markdown", links, images, metadata)
      for links in (False, True) for images in (False, True) for metadata in (False, True)),
    *(("html", links, images, False) for links in (False, True) for images in (False, True)),
)


# What `Extracted` has beside its methods.
_SAVED = (
    "id",
    "url",
    "status",
    "problem",
    "title",
    "author",
    "date",
    "date_modified",
    "language",
    "site",
    "description",
    "image",
    "license",
    "categories",
    "tags",
    "fingerprint",
    "confidence",
    "page_type",
    "page_fault",
    "words",
    "hidden_words",
    "repeated_words",
    "text",
)


@dataclass(frozen=True)
class Block:
    """One text node of a page.

    Example:
        >>> import duramen
        >>> block = duramen.bare_extraction("<p>The oldest oak of the village fell on Monday night.").blocks[0]
        >>> block.xpath, block.tag, block.kept
        ('/html[1]/body[1]/p[1]/text()[1]', 'p', True)
    """

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
    """The shown text nodes of a page in document order: a sequence of `Block`, and its columns.

    The columns of numbers (`labels`, `kept`, `probabilities`) are arrays and need numpy; nothing else does.

    Example:
        >>> import duramen
        >>> blocks = duramen.bare_extraction("<h1>Oak</h1><p>The oldest oak of the village fell on Monday night.").blocks
        >>> blocks.texts
        ['Oak', 'The oldest oak of the village fell on Monday night.']
        >>> blocks.probabilities.shape
        (2, 6)
    """

    def __init__(self, extracted: Extracted | _Saved) -> None:
        columns = extracted.blocks()
        self.xpaths: list[str] = columns[0]
        """The paths that select them."""
        self.tags: list[str] = columns[1]
        """The names of the elements that they stand in."""
        self._labels: bytes = columns[2]
        self._kept: bytes = columns[3]
        self._probabilities: bytes | None = columns[4]
        self.texts: list[str] = columns[5]
        """Their texts, white space folded."""

    @cached_property
    def labels(self) -> NDArray[np.uint8]:
        """The numbers of their labels: positions in `duramen.LABELS`."""
        return _array(self._labels, "uint8")

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """Whether they are part of the text."""
        return _array(self._kept, "bool")

    @cached_property
    def probabilities(self) -> NDArray[np.float64] | None:
        """P(label), shape: blocks x 6 labels, rows sum to 1; None of extractors that are no probability models."""
        if self._probabilities is None:
            return None
        return _array(self._probabilities, "float64").reshape(-1, len(LABELS))

    def __len__(self) -> int:
        return len(self.xpaths)

    def __getitem__(self, index: int) -> Block:
        index = range(len(self))[index]
        row = None
        if self._probabilities is not None:
            first = index * len(LABELS)
            numbers = memoryview(self._probabilities).cast("d")[first : first + len(LABELS)]
            row = dict(zip(LABELS, numbers, strict=True))
        label = LABELS[self._labels[index]]
        return Block(self.xpaths[index], self.tags[index], label, bool(self._kept[index]), row, self.texts[index])

    def __iter__(self) -> Iterator[Block]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} blocks, {sum(self._kept)} kept>"


def _array(data: bytes, kind: str) -> NDArray[Any]:
    np = needed("numpy", "the columns of blocks as arrays")
    array: NDArray[Any] = np.frombuffer(data, dtype=kind).copy()
    return array


class _Saved:
    """What stands in the place of `Extracted` where a document was pickled: the same as plain data."""

    def __init__(self, extracted: Extracted) -> None:
        for name in _SAVED:
            setattr(self, name, getattr(extracted, name))
        # Texts that are the same are kept once.
        once: dict[str, str] = {}
        self._bodies = {}
        for format, links, images, metadata in _BODIES:
            body = extracted.body(format, links=links, images=images, with_metadata=metadata)
            self._bodies[format, links, images, metadata] = once.setdefault(body, body)
        self._comments = extracted.text_of(["comments"])
        self._blocks = extracted.blocks()
        self._images = extracted.images_json()
        self._records = extracted.records_json()

    def body(
        self,
        format: str,
        *,
        links: bool = False,
        images: bool = False,
        with_metadata: bool = False,
        table_format: str = "gfm",
    ) -> str:
        if table_format != "gfm":
            raise UsageError("a document that was pickled has its tables with pipes alone; write the others before")
        return self._bodies[format, links, images, with_metadata]

    def text_of(self, labels: Sequence[str]) -> str:
        return self._comments

    def blocks(self) -> tuple[list[str], list[str], bytes, bytes, bytes | None, list[str]]:
        return self._blocks

    def images_json(self) -> str:
        return self._images

    def records_json(self) -> str:
        return self._records


class Document:
    """What was found on a page. Fields are attributes, and keys (`document["title"]`, `document.get("title")`).

    A page that could not be extracted is a document too: `status` says why, and `bool(document)` is False. A document can be
    pickled, for another process: what it says stays the same.

    Example:
        >>> import duramen
        >>> page = "<title>Oak</title><h1>Oak</h1><p>The oldest oak of the village fell on Monday night."
        >>> document = duramen.bare_extraction(page, url="https://example.org/oak")
        >>> document.title, document["hostname"], document.status
        ('Oak', 'example.org', 'ok')
    """

    def __init__(self, extracted: Extracted | _Saved) -> None:
        # What stands for it when pickled has the same fields and methods.
        self._extracted = cast("Extracted", extracted)
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
    def date_modified(self) -> str | None:
        """When the page was changed last, ISO 8601, if it states that."""
        return self._extracted.date_modified

    @property
    def language(self) -> str | None:
        """The language, a BCP 47 tag."""
        return self._extracted.language

    @property
    def site(self) -> str | None:
        """The site's name; `sitename` is the same."""
        return self._extracted.site

    @property
    def image(self) -> str | None:
        """The address of the image that the page names for itself."""
        return self._extracted.image

    @property
    def license(self) -> str | None:
        """The license, such as `CC BY-SA 4.0`."""
        return self._extracted.license

    @property
    def categories(self) -> list[str]:
        """The sections of its site that the page stands in."""
        return self._extracted.categories

    @property
    def tags(self) -> list[str]:
        """The keywords of the page."""
        return self._extracted.tags

    @property
    def fingerprint(self) -> str | None:
        """A similarity hash (simhash) of the text, 64 bits as 16 hexadecimal digits; None without a text. Texts that are nearly the
        same differ in few bits: `(int(a, 16) ^ int(b, 16)).bit_count()`."""
        return self._extracted.fingerprint

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
    def most_probable_type(self) -> str | None:
        """The most probable type of page, such as `article`; None of a model that tells no types."""
        return self._extracted.most_probable_type

    @property
    def page_fault(self) -> dict[str, float] | None:
        """The probability that the page is no document but a `script-shell`, a frame that a script fills. None of a page that
        could not be read."""
        return self._extracted.page_fault

    @property
    def most_probable_fault(self) -> str | None:
        """The fault, if its probability is one half or more."""
        return self._extracted.most_probable_fault

    @property
    def words(self) -> dict[str, int]:
        """The number of words under each label."""
        return self._extracted.words

    @property
    def hidden_words(self) -> int:
        """The number of words that the page hides from its readers, which are kept with `include_hidden` only."""
        return self._extracted.hidden_words

    @property
    def repeated_words(self) -> int | None:
        """The number of words that would be kept and are dropped, since the site repeats them; None without `drop_repeats`."""
        return self._extracted.repeated_words

    @property
    def text(self) -> str:
        """The kept text; empty unless the status is `ok`. `raw_text` is the same."""
        return self._extracted.text

    # As trafilatura names them.
    sitename = site
    excerpt = description
    pagetype = page_type
    raw_text = text

    @property
    def comments(self) -> str:
        """The text of readers' comments, of models that find them."""
        return self._extracted.text_of(["comments"])

    @property
    def blocks(self) -> Blocks:
        """The shown text nodes with XPath, label and probabilities."""
        if self._blocks is None:
            self._blocks = Blocks(self._extracted)
        return self._blocks

    @property
    def structure(self) -> list[dict[str, Any]]:
        """The kept content as a tree of blocks: headings, paragraphs, lists, tables, code, formulas, quotations, with links and images."""
        blocks: list[dict[str, Any]] = json.loads(self._extracted.body("structure", links=True, images=True))
        return blocks

    @property
    def records(self) -> list[dict[str, str]]:
        """What repeats on forums, listings, collections, home pages and recipes, in page order: the `text` of each post, entry or product,
        and as far as they are found its `title`, `url`, `author`, `date` and `price`."""
        records: list[dict[str, str]] = json.loads(self._extracted.records_json())
        return records

    @property
    def images(self) -> list[dict[str, Any]]:
        """The kept images, if `include_images` was asked for: address, caption, credit, probability."""
        images: list[dict[str, Any]] = json.loads(self._extracted.images_json())
        return images

    def to_text(self, *, with_metadata: bool = False) -> str:
        """The text, with metadata before it if asked for."""
        return self._extracted.body("txt", with_metadata=with_metadata)

    def to_markdown(
        self, *, links: bool = False, images: bool = False, with_metadata: bool = False, table_format: str = "gfm"
    ) -> str:
        """The text as CommonMark with tables; `table_format` as of `duramen.extract`."""
        return self._extracted.body(
            "markdown", links=links, images=images, with_metadata=with_metadata, table_format=table_format
        )

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

    def __copy__(self) -> Document:
        return Document(self._extracted)

    def __deepcopy__(self, memo: dict[int, Any]) -> Document:
        # What stands behind a document does not change.
        return Document(self._extracted)

    def __reduce__(self) -> tuple[Callable[[_Saved], Document], tuple[_Saved]]:
        saved = self._extracted if isinstance(self._extracted, _Saved) else _Saved(self._extracted)
        return Document, (saved,)

    def __bool__(self) -> bool:
        return self.status == "ok"

    def __repr__(self) -> str:
        if not self:
            return f"<Document {self.id!r}: {self.status}, {self.problem}>"
        sure = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        return f"<Document {self.title or self.id!r}: {len(self.text.split())} words{sure}>"
