"""Edits to documents keep everything else, in every encoding."""

from __future__ import annotations

import pytest

from jounce.errors import ModelError
from jounce.io.xml_edits import Document, encoding_of

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
def test_edits_change_nothing_else(encoding: str, newline: str) -> None:
    found, text = document(encoding, TEXT.replace("\n", newline))
    assert found.apply_edits() == text.encode(encoding)
    root = found.root
    found.set_child(root, "x:part", {"c": "2.5e-3", "a": "", "d": "4"})
    found.set_child(root, "empty", {"d": "4"})
    found.set_child(root.require("full"), "b", {"d": "4"})
    found.insert(root.require("full").require("b"), ["<c/>"])
    wanted = text.replace('c="x"', 'c="2.5e-3" d="4"').replace("'1 > 0'", "''")
    wanted = wanted.replace("<empty>", '<empty d="4">')
    wanted = wanted.replace("<b/>", f'<b d="4">{newline}  <c/>{newline}</b>')
    assert found.apply_edits() == wanted.encode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_children_that_are_missing_are_added(encoding: str) -> None:
    found, text = document(encoding)
    found.set_child(found.root, "new", {"a": "1"})
    found.set_child(found.root.require("empty"), "new", {"a": "1"})
    wanted = text.replace("'\">\n", '\'">\n  <new a="1"/>\n')
    wanted = wanted.replace("<empty>", '<empty>\n  <new a="1"/>')
    assert found.apply_edits() == wanted.encode(encoding)


def test_long_documents() -> None:
    rows = "".join(
        f'<row number="{k}" text="{"ü>" * (k % 97)}">{"é" * (k % 89)}</row>\n' for k in range(12000)
    )
    text = f"<all>\n{rows}</all>"
    found = Document(text.encode(), "long.xml")
    for node in found.root.children:
        found.insert(node, [])
    assert found.apply_edits() == text.encode()


def test_undecodable() -> None:
    with pytest.raises(ModelError, match=r"file\.xml: cannot decode the file"):
        Document(b"<a>\xff</a>", "file.xml")
    with pytest.raises(ModelError, match=r"file\.xml: cannot decode the file"):
        Document(b'<?xml version="1.0" encoding="klingon"?><a/>', "file.xml")


def test_encodings() -> None:
    assert encoding_of(b"<a/>") == "utf-8"
    assert encoding_of(b"<?xml version='1.0' encoding='ISO-8859-15'?><a/>") == "ISO-8859-15"
    assert encoding_of("\ufeff<a/>".encode("utf-16-be")) == "utf-16-be"
