"""Duramen finds the content of a web page, and says how far to trust it.

>>> import duramen
>>> page = b"<h1>Oak</h1><p>The oldest oak of the village fell on Monday night, after a storm that lasted for six hours."
>>> print(duramen.extract(page), end="")
Oak
<BLANKLINE>
The oldest oak of the village fell on Monday night, after a storm that lasted for six hours.
>>> document = duramen.bare_extraction(page)
>>> 0 <= document.confidence <= 1
True
"""

from . import outlier, warc
from ._batch import extract_batch
from ._document import Block, Blocks, Document
from ._duramen import LABELS, Corpus, Counts, RepeatList, __version__
from ._duramen import extractors as _extractors
from ._errors import (
    DataError,
    DuramenError,
    DuramenWarning,
    FileError,
    InternalError,
    MissingPackageError,
    ModelError,
    NotConvergedError,
    PageError,
    UsageError,
)
from ._extract import ARTICLE, bare_extraction, extract
from ._model import Explanation, Model, Score

__all__ = [
    "ARTICLE",
    "LABELS",
    "Block",
    "Blocks",
    "Corpus",
    "Counts",
    "DataError",
    "Document",
    "DuramenError",
    "DuramenWarning",
    "Explanation",
    "FileError",
    "InternalError",
    "MissingPackageError",
    "Model",
    "ModelError",
    "NotConvergedError",
    "PageError",
    "RepeatList",
    "Score",
    "UsageError",
    "__version__",
    "bare_extraction",
    "extract",
    "extract_batch",
    "extractors",
    "outlier",
    "warc",
]


def extractors() -> dict[str, str]:
    """Every extractor by its id, with what it is; `bare_extraction(page, extractor=ID)` uses one.

    Example:
        >>> import duramen
        >>> "boilerpipe-article" in duramen.extractors()
        True
    """
    return {id: summary for id, summary, _ in _extractors()}
