"""Duramen in pandas: `pip install duramen[pandas]`. Importing it gives every DataFrame an accessor.

    import pandas as pd
    import duramen.pandas

    pages = pd.DataFrame({"url": urls, "html": pages})
    texts = pages.duramen.extract()
    texts[texts.confidence >= 0.9]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from ._batch import extract_batch
from ._errors import UsageError

__all__ = ["DuramenAccessor"]


@pd.api.extensions.register_dataframe_accessor("duramen")
class DuramenAccessor:
    """`DataFrame.duramen`.

    Example:
        >>> import pandas as pd
        >>> import duramen.pandas
        >>> pages = pd.DataFrame({"html": ["<p>The oldest oak of the village fell on Monday night."]})
        >>> list(pages.duramen.extract(keep=[]).columns)
        ['text', 'title', 'date', 'language', 'page_type', 'page_fault', 'confidence', 'status', 'problem']
    """

    def __init__(self, pages: pd.DataFrame) -> None:
        self._pages = pages

    def extract(
        self,
        html: str = "html",
        url: str | None = "url",
        *,
        charset: str | None = None,
        keep: Sequence[str] | None = None,
        **options: Any,
    ) -> pd.DataFrame:
        """Extracts the pages of the DataFrame: `duramen.extract_batch` with one thread for each core.

        Args:
            html: The column with the pages, all `str` or all `bytes`; missing ones have the status `empty`.
            url: The column with their addresses; None if there is none. Left alone if the default is not there.
            charset: The column with the charsets of HTTP headers, if there is one.
            keep: Columns that stand before the answer's. Default all but the pages and their charsets.
            options: As of `duramen.extract_batch`.

        Returns:
            A DataFrame with the same index: the columns kept, then text, title, date, language, page_type, page_fault, confidence,
            status and problem.

        Raises:
            UsageError: A column is not there, holds something else, or has the name of one of the answer's.

        Example:
            >>> import pandas as pd
            >>> import duramen.pandas
            >>> pages = pd.DataFrame({"key": [7], "html": ["<p>The oldest oak of the village fell on Monday night."]}, index=["a"])
            >>> found = pages.duramen.extract()
            >>> found.loc["a", "key"].item(), found.loc["a", "status"]
            (7, 'ok')
        """
        address = None if url == "url" and "url" not in self._pages.columns else url
        read = [name for name in (html, address, charset) if name is not None]
        kept = [name for name in self._pages.columns if name not in (html, charset)] if keep is None else list(keep)
        for name in [*read, *kept]:
            if name not in self._pages.columns:
                raise UsageError(f"there is no column {name!r}; the DataFrame has {', '.join(map(str, self._pages.columns))}")
        # No columns but those: the others may hold what Arrow has no type for.
        table = pa.Table.from_pandas(self._pages[list(dict.fromkeys(read))], preserve_index=False)
        found = extract_batch(table, html, address, charset=charset, **options).to_pandas()
        if doubled := [name for name in kept if name in found.columns]:
            raise UsageError(f"column {doubled[0]!r} has the name of one of the answer's; rename it, or leave it out of keep")
        found.index = self._pages.index
        return pd.concat([self._pages[kept], found], axis=1)
