"""Text and names are plain English, with the terms of the field: see CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support import PROJECT

#: Upper limits; they may only be lowered.
LIMITS = {"docstrings": 25, "functions": 39, "variables": 60, "phrases": 19, "spelling": 8}


def words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


#: Words that begin a clause without a subject where a docstring should begin with a verb or noun.
HEADLESS = words(
    """what who whose how where whether which why those that some whoever whatever nobody nothing
    when if as so one such"""
)
#: Participles that are no function name by themselves; regular ones end in "ed".
PARTICIPLES = words(
    """found given made told taken kept met held sent spread said seen shown known built brought
    left cut put drawn grown chosen written read led bound got laid lent lost meant paid spent split
    spoken spun stood thought thrown understood worn wound broken driven frozen hidden risen shaken
    woven"""
)
#: Terms that look like participles.
TERMS = words(
    """sorted cached fixed closed shared need speed seed feed embed reversed nested bounded indexed
    typed weighted"""
)
VAGUE = words(
    """found own given at there here whole rest so such those both one many few more asked told
    met"""
)
PHRASES = re.compile(
    r"""\brooms?\b|\bhouse\b|leave it away|\bwhatever it\b|\bwhoever\b|\b(no|some)body\b
    |\ba\ word\ on\b|\bwhat\ is\ more\b|\bof\ one's\ own\b|\bfor\ whom\b|\bit\ is\ seen\b
    |\bmeans?\ nothing\b|\bwho(ever)?\ (knows?|asks?|looks?|uses?|needs?|wants?)\b
    |\bwhere\ (it|they)\ lies?\b|\blies?\ (on|in|at|there)\b|\btold\ of\b|\bspelled\b|\bunasked\b
    |\bmended?\b""",
    re.IGNORECASE | re.VERBOSE,
)
#: British spellings of whole words.
BRITISH = re.compile(
    """(un|re|de)?(optimi|normali|regulari|initiali|seriali|parametri|parameteri|generali|lineari"""
    """|minimi|maximi|organi|recogni|summari|factori|symmetri|synchroni|vectori|visuali|customi"""
    """|discreti|orthogonali|quanti|randomi)s(e[ds]?|ers?|ing|ations?)|analys(e[ds]?|ing)"""
    """|behaviours?|colour[a-z]*|centre[ds]?|neighbour[a-z]*|favour[a-z]*"""
    """|(milli|centi|kilo)?metres?|(label|model|travel|signal)l(ed|ing)|honour[a-z]*|grey"""
    """|catalogue[ds]?|licence|defence|judgement|programme|whilst""",
    re.IGNORECASE,
)
#: Lines about names of version 0.2, and units as files spell them.
EXEMPT = re.compile(r"deprecat|renamed|moved_names|meters metre|instead of", re.IGNORECASE)

PAGES = [*PROJECT.glob("docs/**/*.md"), *(PROJECT / f"{x}.md" for x in ("README", "ARCHITECTURE"))]
PAGES += [PROJECT / "CONTRIBUTING.md"]
PAGES = [x for x in PAGES if not {"_generated", "generated"} & {*x.parts}]
SOURCES = sorted(
    [*PROJECT.glob("src/**/*.py"), *PROJECT.glob("docs/**/*.py"), *PROJECT.glob("tools/*.py")]
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_participle(name: str) -> bool:
    word = name.strip("_")
    regular = word.endswith("ed") and len(word) > 4
    return "_" not in word and word not in TERMS and (word in PARTICIPLES or regular)


@cache
def text(path: Path) -> str:
    return path.read_text("utf-8")


def in_code() -> Iterator[tuple[str, str]]:
    """Kinds and places of docstrings, functions and variables that break the rules."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(text(path))):
            where = f"{path.relative_to(PROJECT)}:{getattr(node, 'lineno', 1)}"
            if isinstance(node, (*DEFINITIONS, ast.ClassDef, ast.Module)):
                first = re.match(r"[\W_]*(\w+)", ast.get_docstring(node) or "")
                if first and first[1].lower() in HEADLESS:
                    yield "docstrings", f"{where}: {first[1]}"
            if isinstance(node, DEFINITIONS) and is_participle(node.name):
                yield "functions", f"{where}: {node.name}"
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE:
                yield "variables", f"{where}: {node.id}"


@cache
def is_british(word: str) -> bool:
    return BRITISH.fullmatch(word) is not None


def in_lines() -> Iterator[tuple[str, str]]:
    """Kinds and places of lines that break the rules."""
    for path in (*SOURCES, *PAGES, PROJECT / "CHANGELOG.md"):
        for number, line in enumerate(text(path).splitlines(), 1):
            where = f"{path.relative_to(PROJECT)}:{number}: "
            if PHRASES.search(line) and path.name != "CHANGELOG.md":
                yield "phrases", where + line.strip()
            if any(map(is_british, re.findall("[A-Za-z]+", line))) and not EXEMPT.search(line):
                yield "spelling", where + line.strip()


def test_text_and_names_are_plain() -> None:
    places: dict[str, list[str]] = {kind: [] for kind in LIMITS}
    for kind, place in (*in_code(), *in_lines()):
        places[kind].append(place)
    for kind, limit in LIMITS.items():
        latest = "\n".join(places[kind][-40:])
        assert len(places[kind]) <= limit, f"{kind}: {len(places[kind])}, such as\n{latest}"
