"""The pages of the project: where they are, their code, their links, their titles."""

from __future__ import annotations

import re
from pathlib import Path

from support import PROJECT

DOCS = PROJECT / "docs"

_FENCE = re.compile(
    r"^(?P<mark>`{3,}|:{3,}|~{3,})(?P<info>[^\n]*)\n(?P<body>.*?)^(?P=mark)\s*$", re.M | re.S
)


def pages() -> list[Path]:
    """Every page in Markdown that people read: of the site, and beside it."""
    beside = [PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")]
    made = {"_generated", "generated"}  # by the build of the site
    found = [path for path in DOCS.rglob("*.md") if not made & {*path.parts}]
    changes = [path for path in (PROJECT / "CHANGELOG.md",) if path.exists()]
    return [*beside, *changes, *sorted(found)]


def name(page: Path) -> str:
    """Its path in the project."""
    return page.relative_to(PROJECT).as_posix()


def blocks(text: str, language: str) -> list[str]:
    """The code of a page in one language."""
    return [
        m["body"]
        for m in _FENCE.finditer(text)
        if m["mark"][0] == "`" and m["info"].strip() == language
    ]


def cells(text: str) -> list[str]:
    """The Python code of a page in order, for a reader who has all packages it needs."""
    found = []
    for m in _FENCE.finditer(text):
        info = m["info"].strip()
        if m["mark"][0] == "`" and (info in ("python", "py") or info.startswith("{code-cell}")):
            found.append(re.sub(r"\A(?::[^\n]*\n)+|\A---\n.*?\n---\n", "", m["body"], flags=re.S))
    return found


def prose(text: str) -> str:
    """A page without its code, whose brackets are no links."""
    kept = _FENCE.sub(lambda m: m[0] if m["mark"][0] == ":" else "\n", text)
    return re.sub(r"`[^`\n]+`", "`code`", kept)


def links(text: str) -> list[str]:
    """What a page leads to, and what it shows."""
    return re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", prose(text))


def anchors(text: str) -> set[str]:
    """The titles of a page as one refers to them, as Markdown readers make them."""
    plain = _FENCE.sub("", text)
    out: set[str] = set()
    for title in re.findall(r"^#{1,6} +(.+?) *$", plain, re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = sum(
            1 for known in out if known == slug or re.fullmatch(rf"{re.escape(slug)}-\d+", known)
        )
        out.add(f"{slug}-{count}" if count else slug)
    return out | set(re.findall(r"^\((\S+)\)=$", text, re.M))
