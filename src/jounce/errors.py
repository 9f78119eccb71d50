"""The exceptions and warnings of the library."""


class JounceError(ValueError):
    """What all errors about the user's files and data have in common."""


class ModelError(JounceError):
    """A robot description that cannot be used; the message names the file, joint or link."""


class DataError(JounceError):
    """Measured data that cannot be used; the message names the file, column or row."""


class ModelWarning(UserWarning):
    """A robot description that can be used but looks wrong; the message names the culprit."""


class DataWarning(UserWarning):
    """Measured data that can be used but look wrong; the message names the column."""
