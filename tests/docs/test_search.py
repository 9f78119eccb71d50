"""The search of the built site: Sphinx's own script, run by node, finds the right page first."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from support import PROJECT
from support.web import run_node

SITE = PROJECT / "build" / "site"

pytestmark = [
    pytest.mark.docs,
    pytest.mark.skipif(not SITE.exists(), reason="there is no site yet: make docs builds it"),
]

#: Beside each synonym: what people type, and the page that they look for.
EXPECTED = {
    "mass matrix": "robot.mass_matrix",
    "mass_matrix": "robot.mass_matrix",
    "inverse_dynamics": "robot.inverse_dynamics",
    "jacobian": "frame.jacobian",
    "load": "jounce.load",
    "dof": "conventions",
}

SCRIPT = """
import { readFileSync } from "node:fs";
import vm from "node:vm";
const read = (name) => readFileSync(`${SITE}/${name}`, "utf8");
const context = vm.createContext({ URLSearchParams, console });
vm.runInContext(`
  const window = globalThis, localStorage = { setItem: () => {} };
  const _ready = () => {}, _ = (text) => text, SPHINX_HIGHLIGHT_ENABLED = false;
  const document = { getElementById: () => null };
  ${read("_static/base-stemmer.js")}
  ${read("_static/english-stemmer.js")}
  ${read("_static/language_data.js")}
  ${read("_static/searchtools.js")}
  ${read("searchindex.js")}
  function first(query) {
    const results = Search._performSearch(...Search._parseQuery(query));
    return results.length ? results.at(-1)[0] : "";
  }`, context);
const found = {};
for (const query of QUERIES)
  found[query] = vm.runInContext(`first(${JSON.stringify(query)})`, context);
console.log(JSON.stringify(found));
"""


def test_searches_find_the_page_first(tmp_path: Path) -> None:
    sys.path.insert(0, str(PROJECT / "docs" / "_ext"))
    try:
        from synonyms import SYNONYMS
    finally:
        sys.path.remove(str(PROJECT / "docs" / "_ext"))
    expected = {word: page for page, words in SYNONYMS.items() for word in words} | EXPECTED
    values = f"const SITE = {json.dumps(str(SITE))}, QUERIES = {json.dumps([*expected])};"
    pages = json.loads(run_node(values + SCRIPT, tmp_path))
    wrong = {
        query: pages[query]
        for query, page in expected.items()
        if pages[query].rpartition("/")[2] != page.rpartition("/")[2]
    }
    assert not wrong
