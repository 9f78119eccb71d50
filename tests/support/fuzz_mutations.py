"""Broken and hostile variants of XML files: structural damage first, then damage to the bytes.

Everything follows from a `random.Random`, so a number finds its file again.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

#: What may stand where a number belongs.
NUMBERS = (
    *("nan", "-nan", "NaN", "inf", "-inf", "Infinity", "1e308", "-1e308", "1e400", "1e-320"),
    *("5e-324", "-0", "0", "-1", "1", "1e9", "1e16", "1e30", "-1e30", "1e150", "1e-150", "1e-12"),
    *("2147483647", "2147483648", "-2147483649", "9" * 400, "0x10", "0x1p1023", "1_000", "1,5"),
    *("1e", "e5", "++1", "--1", "1.2.3", ".", "-", "+", "true", "x", "${x}", "$(x)", "٣", "１"),
    *("", " ", "\t", "\n", "1;", "NULL", "1f", "1d0", "1e-400", "3.14159265358979", "-1.5707963"),
)

#: What may stand where a name or a path belongs.
WORDS = (
    *("", " ", "a b", " a", "world", "base", "__model__", "a::b", "::", "..", "/", "/dev/zero"),
    *("/etc/passwd", "file:///etc/passwd", "package://x/y.stl", "http://localhost/x", "%s%n%x"),
    *("naïve", "名前", "🤖", "e\u0301", "\u202eevil", "\u200b", "\ufeff", "\U0010ffff", "a\u0085b"),
    *("'; DROP TABLE", "<b>", "&amp;", "]]>", '"', "'", "\\", "\\0", "A" * 70_000, "nan", "-1"),
    *("revolute", "fixed", "floating", "free", "ball", "hinge", "slide", "universal", "screw"),
    *("planar", "prismatic", "continuous", "mesh", "hfield", "sdf", "box", "plane", "weld"),
)

_SPACE = "abcdefghijklmnopqrstuvwxyz"
#: Mutations of mutations may grow without end.
_LARGEST = 8 << 20


def mutated(text: str, rng: random.Random) -> bytes:
    """A variant of an XML document, as the bytes of a file."""
    if rng.random() < 0.8:
        root = ElementTree.fromstring(text)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
            rng.choice(STRUCTURAL)(root, rng)
        text = _written(root)
    if rng.random() < 0.3:
        text = rng.choice(TEXTUAL)(text, rng)
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.25:
        data = rng.choice(BINARY)(text, rng)
    return data[:_LARGEST]


def _written(root: Element) -> str:
    """The document, one element per line, so that line numbers mean something."""
    for element in root.iter():
        if len(element) and not (element.text or "").strip():
            element.text = "\n"
        if not (element.tail or "").strip():
            element.tail = "\n"
    root.tail = None
    return ElementTree.tostring(root, encoding="unicode")


# ------------------------------------------------------------------ elements


def _elements(root: Element) -> list[Element]:
    return list(root.iter())


def _parents(root: Element) -> list[tuple[Element, int]]:
    """Every element but the root, as its parent and its place there."""
    return [(parent, k) for parent in root.iter() for k in range(len(parent))]


def _delete(root: Element, rng: random.Random) -> None:
    places = _parents(root)
    if places:
        parent, k = rng.choice(places)
        del parent[k]


def _duplicate(root: Element, rng: random.Random) -> None:
    places = _parents(root)
    if places:
        parent, k = rng.choice(places)
        for _ in range(rng.choice((1, 1, 1, 2, 30))):
            parent.insert(k, copy.deepcopy(parent[k]))


def _swap(root: Element, rng: random.Random) -> None:
    """Two elements change places; one inside the other takes a copy of it along."""
    places = _parents(root)
    if places:
        (a, i), (b, j) = rng.choice(places), rng.choice(places)
        one, two = copy.deepcopy(a[i]), copy.deepcopy(b[j])
        a[i] = two
        if j < len(b):
            b[j] = one


def _graft(root: Element, rng: random.Random) -> None:
    places = _parents(root)
    if places:
        parent, k = rng.choice(places)
        rng.choice(_elements(root)).append(copy.deepcopy(parent[k]))


def _wrap(root: Element, rng: random.Random) -> None:
    """An element inside many copies of its own head."""
    places = _parents(root)
    if not places:
        return
    parent, k = rng.choice(places)
    inner = parent[k]
    for _ in range(rng.choice((1, 2, 5, 40, 300))):
        outer = Element(inner.tag, dict(inner.attrib))
        outer.append(inner)
        inner = outer
    parent[k] = inner


def _rename(root: Element, rng: random.Random) -> None:
    element = rng.choice(_elements(root))
    other = rng.choice(_elements(root)).tag
    element.tag = rng.choice((other, "x", "xacro:macro", "ns:" + element.tag, element.tag.upper()))


def _empty(root: Element, rng: random.Random) -> None:
    element = rng.choice(_elements(root))
    element[:] = []
    element.text = rng.choice(("", "text", " "))


def _chain(root: Element, rng: random.Random) -> None:
    """All elements of one tag name each other in turn: chains and cycles of whatever they are."""
    tag = rng.choice(_elements(root)).tag
    alike = [element for element in root.iter(tag) if element.attrib]
    for element, other in zip(alike, [*alike[1:], *alike[:1]], strict=True):
        key = rng.choice(list(element.attrib))
        element.set(key, other.get(key) or element.get(key) or "")


# ------------------------------------------------------------------ attributes and text


def _attributes(root: Element) -> list[tuple[Element, str]]:
    return [(element, key) for element in root.iter() for key in element.attrib]


def _values(root: Element) -> list[tuple[Element, str | None]]:
    """Attributes by key, texts by None."""
    out: list[tuple[Element, str | None]] = [*_attributes(root)]
    out += [(element, None) for element in root.iter() if (element.text or "").strip()]
    return out


def _get(element: Element, key: str | None) -> str:
    return (element.text if key is None else element.get(key)) or ""


def _put(element: Element, key: str | None, value: str) -> None:
    if key is None:
        element.text = value
    else:
        element.set(key, value)


def _delete_attribute(root: Element, rng: random.Random) -> None:
    places = _attributes(root)
    if places:
        element, key = rng.choice(places)
        del element.attrib[key]


def _rename_attribute(root: Element, rng: random.Random) -> None:
    places = _attributes(root)
    if places:
        element, key = rng.choice(places)
        value = element.attrib.pop(key)
        element.set(rng.choice((key.upper(), key + "x", "name", rng.choice(places)[1])), value)


def _set_number(root: Element, rng: random.Random) -> None:
    """One number of many, or all of them."""
    places = [(e, key) for e, key in _values(root) if re.search(r"\d", _get(e, key))]
    if not places:
        return
    element, key = rng.choice(places)
    words = _get(element, key).split() or [""]
    way = rng.random()
    if way < 0.6:
        words[rng.randrange(len(words))] = rng.choice(NUMBERS)
    elif way < 0.8:
        words = [rng.choice(NUMBERS) for _ in words]
    elif way < 0.9:
        words = words * rng.choice((2, 3, 20_000))
    else:
        words = words[: rng.randrange(len(words))]
    _put(element, key, " ".join(words))


def _set_word(root: Element, rng: random.Random) -> None:
    places = _values(root)
    if places:
        element, key = rng.choice(places)
        _put(element, key, rng.choice(WORDS))


def _copy_value(root: Element, rng: random.Random) -> None:
    """A value from elsewhere: names twice, references to the wrong kind of thing, cycles."""
    places = _values(root)
    if places:
        element, key = rng.choice(places)
        alike = [place for place in places if place[1] == key]
        other = rng.choice(alike if rng.random() < 0.7 else places)
        _put(element, key, _get(*other))


def _add_attribute(root: Element, rng: random.Random) -> None:
    places = _attributes(root)
    key = rng.choice(places)[1] if places and rng.random() < 0.8 else rng.choice(("count", "class"))
    rng.choice(_elements(root)).set(key, rng.choice(NUMBERS if rng.random() < 0.5 else WORDS))


def _many_attributes(root: Element, rng: random.Random) -> None:
    element = rng.choice(_elements(root))
    for k in range(3000):
        element.set(f"a{k}", "1")


STRUCTURAL: tuple[Callable[[Element, random.Random], None], ...] = (
    *(_delete, _delete, _duplicate, _duplicate, _swap, _graft, _wrap, _rename, _empty, _chain),
    *(_delete_attribute, _delete_attribute, _rename_attribute, _add_attribute, _many_attributes),
    *(_set_number,) * 6,
    *(_set_word,) * 3,
    *(_copy_value,) * 3,
)


# ------------------------------------------------------------------ text

_BOMB = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "lol"}">' for k in range(10))

DOCTYPES = (
    f"<!DOCTYPE x [{_BOMB}]>",
    '<!DOCTYPE x [<!ENTITY e9 SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>',
    '<!DOCTYPE x SYSTEM "http://localhost:1/x.dtd">',
    '<!DOCTYPE x PUBLIC "a" "file:///dev/zero">',
    '<!DOCTYPE x [<!ATTLIST x y CDATA "z">]>',
    '<!DOCTYPE x [<!ENTITY e9 "' + "A" * 50_000 + '">]>',
    "<!DOCTYPE x>",
)


def _doctype(text: str, rng: random.Random) -> str:
    text = rng.choice(DOCTYPES) + text
    if rng.random() < 0.7:
        text = _inserted(text, rng, "&e9;" * rng.choice((1, 10)), after='="')
    return text


def _inserted(text: str, rng: random.Random, what: str, after: str = ">") -> str:
    """Put something behind one of the places where `after` stands."""
    places = [found.end() for found in re.finditer(re.escape(after), text)]
    at = rng.choice(places) if places else 0
    return text[:at] + what + text[at:]


def _odd_markup(text: str, rng: random.Random) -> str:
    pieces = (
        *(
            "<!-- -->",
            "<!-- -- -->",
            "<!--",
            "<?x y?>",
            "<?xml version='1.0'?>",
            "<![CDATA[",
            "]]>",
        ),
        *("<![CDATA[<link/>]]>", "&#0;", "&#x110000;", "&#xD800;", "&lt;", "&undefined;", "&", "<"),
        *("<x:y/>", '<a xmlns="u"><b/></a>', '<p:a xmlns:p="u" p:b="c"/>', "</x>", "<x", "\x00"),
        *("\x01", "\x1b[31m", "\x7f", "\u2028", "\ufffe", "text", "<a a='1' a='2'/>", "<🤖/>"),
    )
    return _inserted(text, rng, rng.choice(pieces))


def _namespace(text: str, rng: random.Random) -> str:
    return text.replace(">", rng.choice((' xmlns="urn:x">', ' xmlns:x="urn:x" x:name="n">')), 1)


def _cut(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text))]


def _cut_out(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    return text[:start] + text[start + rng.choice((1, 2, 10, 100, 1000)) :]


def _repeat(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    part = text[start : start + rng.choice((1, 10, 100))]
    return text[:start] + part * rng.choice((2, 10, 1000)) + text[start:]


def _replace_character(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(_SPACE + "<>&\"'=/ \t\n\r0123456789.-\x00é€") + text[at + 1 :]


def _twice(text: str, rng: random.Random) -> str:
    return text + rng.choice(("", "\n", "junk")) + text


def _nested(text: str, rng: random.Random) -> str:
    depth = rng.choice((10, 999, 1001, 5000))
    inside = "<a>" * depth + "</a>" * depth * rng.randrange(2)
    return _inserted(text, rng, inside)


TEXTUAL: tuple[Callable[[str, random.Random], str], ...] = (
    *(_doctype, _odd_markup, _odd_markup, _namespace, _cut, _cut, _cut_out, _cut_out, _repeat),
    *(_replace_character, _replace_character, _twice, _nested),
)


# ------------------------------------------------------------------ bytes

ENCODINGS = (
    *("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "ascii"),
    *("utf-7", "cp037", "shift_jis", "gb18030"),
)


def _encoded(text: str, rng: random.Random) -> bytes:
    """In some encoding, which the header names, or another one, or none."""
    encoding = rng.choice(ENCODINGS)
    claimed = rng.choice((encoding, encoding, rng.choice(ENCODINGS), "klingon", ""))
    header = f'<?xml version="1.0" encoding="{claimed}"?>' if claimed else ""
    return (header + text).encode(encoding, "replace")


def _flip(text: str, rng: random.Random) -> bytes:
    data = bytearray(text.encode("utf-8", "replace"))
    for _ in range(rng.choice((1, 1, 3, 20))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _noise(text: str, rng: random.Random) -> bytes:
    data = text.encode("utf-8", "replace")
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(rng.choice((1, 4, 100))) + data[at:]


def _half(text: str, rng: random.Random) -> bytes:
    """Cut anywhere, inside a character too."""
    data = text.encode(rng.choice(("utf-8", "utf-16")), "replace")
    return data[: rng.randrange(len(data))]


def _junk(text: str, rng: random.Random) -> bytes:
    return rng.choice(
        (
            *(b"", b" ", b"\n" * 1000, b"\x00" * 1000, b"\xff" * 100, b"\xef\xbb\xbf", b"\xff\xfe"),
            *(b"\x1f\x8b\x08\x00junk", b"PK\x03\x04", b"\x7fELF", b"{}", b"<", b"<?xml", b"<?"),
            rng.randbytes(2000),
        )
    )


BINARY: tuple[Callable[[str, random.Random], bytes], ...] = (
    *(_encoded, _encoded, _flip, _flip, _noise, _half, _junk),
)
