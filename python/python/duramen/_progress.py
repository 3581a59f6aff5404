"""Progress bars for work that takes long: what `progress=True` stands for."""

from __future__ import annotations

import importlib
from typing import Any

from ._errors import needed


class Bars:
    """A bar of tqdm for each stage of a piece of work: a widget in notebooks, a line on standard error elsewhere."""

    def __init__(self) -> None:
        needed("tqdm", "progress bars")
        self._tqdm: Any = importlib.import_module("tqdm.auto").tqdm
        self._bar: Any = None
        self._stage: tuple[str, int] | None = None

    def __call__(self, stage: str, done: int, steps: int) -> None:
        """Work is in this stage, and so many of its steps are done; 0 steps are a number that is not known."""
        if self._bar is None or (stage, steps) != self._stage or done < self._bar.n:
            self.close()
            self._bar = self._tqdm(desc=stage, total=steps or None, initial=done)
            self._stage = stage, steps
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Leaves the last bar as it is."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
