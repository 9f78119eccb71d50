"""Elements know where they stand in the bytes of their document, whatever its encoding."""

from __future__ import annotations

import re

import pytest

from jounce.errors import ModelError
from jounce.io.spans import Document, encoding_of, span_of
from jounce.io.xml import Element, parse_xml

TEXT = """<?xml version="1.0" encoding="ENCODING"?>
<!-- für <a b="1">: a comment > with tags -->
<?style <a/> ?>
<robot xmlns:x="http://example.org" name="größer &gt; &#228;&amp;'">
  <x:part a = '1 > 0' b="'2'"
          c="x"   />
  text <![CDATA[<not a="tag">]]> more &lt;text&gt;<empty></empty><!----><full a="">1<b/>2</full >
</robot>
<!-- after -->
"""

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252")


def document(encoding: str, text: str = TEXT) -> tuple[Document, str]:
    named = text.replace("ENCODING", "utf-8" if encoding == "utf-8-sig" else encoding[:6])
    if encoding in ("latin-1", "cp1252"):
        named = text.replace("ENCODING", encoding)
    return Document(named.encode(encoding), "file.xml"), named


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_spans(encoding: str, newline: str) -> None:
    found, text = document(encoding, TEXT.replace("\n", newline))
    wanted = {
        "robot": text[text.index("<robot") : text.index("</robot>") + 8],
        "x:part": text[text.index("<x:part") : text.index("/>\r" if "\r" in text else "/>\n") + 2],
        "empty": "<empty></empty>",
        "full": '<full a="">1<b/>2</full >',
        "b": "<b/>",
    }
    nodes = {node.tag: node for node in found.root.walk()}
    assert set(nodes) == set(wanted)
    for tag, node in nodes.items():
        span = span_of(node)
        assert found.read(span.start, span.stop) == wanted[tag]
        inside = found.read(span.inside, span.closing)
        assert found.tag(node) + inside + found.read(span.closing, span.stop) == wanted[tag]
        assert found.tag(node).endswith("/>") == (span.inside == span.stop)
    assert found.read(*found.values(nodes["x:part"], "a")["a"]) == "1 > 0"
    assert found.read(*found.values(nodes["x:part"], "b")["b"]) == "'2'"
    assert found.read(*found.values(nodes["full"], "a")["a"]) == ""
    assert found.read(*found.values(nodes["robot"], "name")["name"]) == "größer &gt; &#228;&amp;'"
    assert found.before(nodes["x:part"]) == "  "
    assert found.edited() == text.encode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_edits_change_nothing_else(encoding: str) -> None:
    found, text = document(encoding)
    part = found.root.children[0]
    found.replace(*found.values(part, "c")["c"], "2.5e-3")
    found.replace(*found.values(part, "a")["a"], "")
    wanted = text.replace('c="x"', 'c="2.5e-3"').replace("'1 > 0'", "''")
    assert found.edited() == wanted.encode(encoding)


def same(a: Element, b: Element) -> bool:
    alike = (a.tag, a.attributes, a.text, a.line) == (b.tag, b.attributes, b.text, b.line)
    pairs = zip(a.children, b.children, strict=True)
    return alike and all(same(x, y) for x, y in pairs)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_spans_do_not_change_what_is_read(encoding: str) -> None:
    found, _ = document(encoding)
    plain = parse_xml(found.data, "file.xml")
    assert same(found.root, plain)
    assert all(node.span is None for node in plain.walk())


def test_documents_longer_than_what_the_parser_takes_at_once() -> None:
    """It reads a megabyte at a time; tags and texts lie across the borders."""
    rows = "".join(
        f'<row number="{k}" text="{"ü>" * (k % 97)}">{"é" * (k % 89)}</row>\n' for k in range(12000)
    )
    found = Document(f"<all>\n{rows}</all>".encode(), "long.xml")
    assert len(found.data) > 2**21
    for node in found.root.children:
        span, number = span_of(node), node.attributes["number"]
        line = found.read(span.start, span.stop)
        assert re.fullmatch(rf'<row number="{number}" text="[ü>]*">é*</row>', line)
        assert found.read(*found.values(node, "number")["number"]) == number


def test_a_newline_is_not_half_of_two_letters() -> None:
    """In UTF-16 the bytes of a newline may lie across two letters."""
    text = "<a>\n\u0a41\u0100\u0a00<b/></a>"
    for encoding in ("utf-16-le", "utf-16-be"):
        found = Document(("\ufeff" + text).encode(encoding), "file.xml")
        assert found.before(found.root.children[0]) == text[4 : text.index("<b/>")]


def test_undecodable() -> None:
    with pytest.raises(ModelError, match=r"file\.xml: cannot decode the file"):
        Document(b"<a>\xff</a>", "file.xml")
    with pytest.raises(ModelError, match=r"file\.xml: cannot decode the file"):
        Document(b'<?xml version="1.0" encoding="klingon"?><a/>', "file.xml")


def test_encodings() -> None:
    assert encoding_of(b"<a/>") == "utf-8"
    assert encoding_of(b"<?xml version='1.0' encoding='ISO-8859-15'?><a/>") == "ISO-8859-15"
    assert encoding_of("\ufeff<a/>".encode("utf-16-be")) == "utf-16-be"
