"""The exceptions and warnings of the library."""


class ModelError(ValueError):
    """A robot description that cannot be used; the message names the file, joint or link."""


class ModelWarning(UserWarning):
    """A robot description that can be used but looks wrong; the message names the culprit."""
