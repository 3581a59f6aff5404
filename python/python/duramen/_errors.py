"""What duramen raises and warns of."""


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


class InternalError(DuramenError):
    """A fault of duramen itself."""


class DuramenWarning(UserWarning):
    """An argument has no effect."""
