"""What duramen raises and warns of."""

from __future__ import annotations

import importlib
from typing import Any


class DuramenError(Exception):
    """Everything that duramen raises. What is wrong with a page alone is its status and not raised."""


class UsageError(DuramenError, ValueError):
    """An argument is misspelt, out of range, or has no meaning beside the others."""


class FileError(DuramenError, OSError):
    """A file cannot be read or written."""


class DataError(DuramenError):
    """Data are missing, cut, or differ from their checksum."""


class PageError(DuramenError):
    """A page that is needed cannot be used."""


class ModelError(DuramenError):
    """A model file is damaged, newer than this package, or does not fit its use."""


class NotConvergedError(DuramenError):
    """Chains do not agree, or not enough was drawn."""


class MissingPackageError(DuramenError, ImportError):
    """A package is needed that is not installed."""


class InternalError(DuramenError):
    """A fault of duramen itself."""


class DuramenWarning(UserWarning):
    """An argument has no effect."""


def needed(package: str, use: str) -> Any:
    """A package that not every use needs."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise MissingPackageError(f"{use} need {package}: pip install {package}") from error
