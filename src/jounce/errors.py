"""The exceptions and warnings of the library."""

from collections.abc import Sequence

#: Names and numbers of a hostile file may be megabytes long.
_LONGEST = 4000
_CUT = " ... "


def printable(text: str) -> str:
    """The text with everything spelled out that a terminal would obey rather than show.

    Control characters, line ends, marks that turn the direction of writing, lone surrogates.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def legible(text: str, longest: int = _LONGEST) -> str:
    """The text on one line, printable and not too long: what is cut is cut from the middle."""
    if len(text) > longest:
        half = (longest - len(_CUT)) // 2
        text = f"{text[:half]}{_CUT}{text[len(text) - half :]}"
    text = printable(text)
    return text if len(text) <= longest else legible(text, longest)


class JounceError(ValueError):
    """What all errors about the user's files and data have in common."""

    def __init__(self, message: object) -> None:
        super().__init__(legible(str(message)))


class ModelError(JounceError):
    """A robot description that cannot be used; the message names the file, joint or link."""


class DataError(JounceError):
    """Measured data that cannot be used; the message names the file, column or row."""


class ArgumentError(JounceError):
    """An argument that cannot be used; the message names it and what was expected."""


class KernelTooLargeError(JounceError):
    """A quantity whose compilation would take unreasonably long; the message says how to go on."""


class JounceWarning(UserWarning):
    """What all warnings about the user's files and data have in common.

    `warnings.warn(text, category)` makes an instance of the category and shows that, so that its
    text is legible however the warning is issued.
    """

    def __init__(self, message: object) -> None:
        super().__init__(legible(str(message)))


class ModelWarning(JounceWarning):
    """A robot description that can be used but looks wrong; the message names the culprit."""


class DataWarning(JounceWarning):
    """Measured data that can be used but look wrong; the message names the column."""


def has_no(owner: object, name: str, valid: Sequence[str]) -> str:
    """What to say of an attribute that an object does not have, with the names of those it has."""
    import difflib

    close = difflib.get_close_matches(name, valid, 1)
    hint = f"; did you mean '{close[0]}'?" if close else "."
    return f"{owner!r} has no '{name}'{hint} Valid names: {', '.join(valid)}"
