"""Words in messages and reports."""

__all__ = ["format_count"]


def format_count(number: int, noun: str) -> str:
    """Return a number with a noun in singular or plural: "1 loop", "2 loops", "3 vertices".

    Parameters
    ----------
    number : int
        The number.
    noun : str
        The noun in singular.

    Returns
    -------
    str
        Number and noun.
    """
    plural = f"{noun[:-2]}ices" if noun.endswith("ex") else f"{noun}s"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else plural
    return f"{number} {noun if number == 1 else plural}"
