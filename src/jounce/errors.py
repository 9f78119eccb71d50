"""The exceptions and warnings of the library."""

#: Names and numbers of a hostile file may be megabytes long.
_LONGEST = 4000


def legible(message: str) -> str:
    """A message that is safe to print: not too long, and without control characters."""
    if len(message) > _LONGEST:
        message = f"{message[: _LONGEST // 2]} ... {message[-_LONGEST // 2 :]}"
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)


class JounceError(ValueError):
    """What all errors about the user's files and data have in common."""


class ModelError(JounceError):
    """A robot description that cannot be used; the message names the file, joint or link."""

    def __init__(self, message: str) -> None:
        super().__init__(legible(message))


class DataError(JounceError):
    """Measured data that cannot be used; the message names the file, column or row."""


class KernelTooLargeError(JounceError):
    """A quantity whose compilation would take unreasonably long; the message says how to go on."""


class ModelWarning(UserWarning):
    """A robot description that can be used but looks wrong; the message names the culprit."""


class DataWarning(UserWarning):
    """Measured data that can be used but look wrong; the message names the column."""
