"""What is said of the package, in several files, is the same; and what it needs is packed."""

from __future__ import annotations

import re
import runpy
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
import yaml

import jounce
from jounce import papers
from jounce import utils as process
from support import PROJECT
from support.distribution import same
from support.layers import MODULES

pytestmark = pytest.mark.shown

METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
PACKAGE = METADATA["project"]


def test_versions_agree() -> None:
    changes = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", changes, re.M)
    assert versions[0][0] == PACKAGE["version"]
    assert [day for _, day in versions] == sorted((day for _, day in versions), reverse=True)
    cited = yaml.safe_load((PROJECT / "CITATION.cff").read_text("utf-8"))
    assert (cited["version"], str(cited["date-released"])) == versions[0]
    citing = (PROJECT / "docs" / "citing.md").read_text("utf-8")
    assert f"version = {{{PACKAGE['version']}}}" in citing
    assert cited["authors"] == PACKAGE["authors"] == [{"name": "jounce developers"}]
    assert cited["repository-code"] == PACKAGE["urls"]["Source"]


def test_a_source_tree_that_was_never_installed_can_be_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    assert runpy.run_path(process.version.__file__)["VERSION"] == jounce.__version__
    monkeypatch.setattr("importlib.metadata.version", missing)
    assert runpy.run_path(process.version.__file__)["VERSION"] == "0+unknown"
    users = [m for m, path in MODULES.items() if "importlib.metadata" in path.read_text("utf-8")]
    assert {*users} == {"utils.plugins", "utils.version"}  # entry points need no metadata of jounce


def test_every_paper_is_cited() -> None:
    cited = yaml.safe_load((PROJECT / "CITATION.cff").read_text("utf-8"))["references"]
    assert len(cited) == 7
    modules = {name for entry in cited for name in entry["notes"].split(", ")}
    rooms = {path.stem for path in Path(papers.__file__).parent.glob("[a-z]*")}
    assert modules == {f"jounce.papers.{name}" for name in rooms - {"common"}}


def test_addresses_are_those_of_one_repository() -> None:
    home = PACKAGE["urls"]["Homepage"]
    owner, name = home.removeprefix("https://github.com/").split("/")
    for key, url in PACKAGE["urls"].items():
        assert url.startswith((home, f"https://{owner}.github.io/{name}")), key
    assert {*PACKAGE["urls"]} == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}


def test_data_of_the_package_are_packed() -> None:
    """Every file beside the source matches a pattern."""
    folder = Path(jounce.__file__).parent
    data = {
        path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".so")
    }
    packed = {
        path
        for pattern in METADATA["tool"]["setuptools"]["package-data"]["jounce"]
        for path in folder.glob(pattern)
    }
    assert data <= packed


def test_pythons_are_not_contradicted() -> None:
    minors = [
        int(found[1])
        for line in PACKAGE["classifiers"]
        if (found := re.fullmatch(r"Programming Language :: Python :: 3\.(\d+)", line))
    ]
    assert minors == list(range(minors[0], minors[-1] + 1))
    assert PACKAGE["requires-python"] == f">=3.{minors[0]}"
    assert METADATA["tool"]["basedpyright"]["pythonVersion"] == f"3.{minors[0]}"


def test_files_that_are_missing_or_too_many_are_named() -> None:
    same("wheel", ["a"], ["a"])
    with pytest.raises(SystemExit, match=r"wheel: missing \['b'\], .* \['c'\]"):
        same("wheel", ["a", "c"], ["a", "b"])


def test_the_recipe_is_of_this_version() -> None:
    recipe = (PROJECT / "packaging" / "conda-forge" / "recipe.yaml").read_text("utf-8")
    versions = yaml.safe_load(recipe.replace("${{", "").replace("}}", ""))
    assert versions["context"]["version"] == PACKAGE["version"]
    runs = {line.replace(" ", "") for line in versions["requirements"]["run"]}
    assert {*PACKAGE["dependencies"], f"python{PACKAGE['requires-python']}"} <= runs
    for extra in ("cli", "mesh"):
        needed = PACKAGE["optional-dependencies"][extra]
        missing = {line for line in needed if not line.startswith("jounce[")} - runs
        assert missing <= {"shtab>=1.10"}  # writes completions for shells only


def test_workflows_are_pinned_and_cannot_write() -> None:
    """SPEC 8: actions by commit, read-only permissions, limits of time, no credentials kept."""
    for path in (PROJECT / ".github" / "workflows").glob("*.yml"):
        workflow = yaml.safe_load(path.read_text("utf-8"))
        assert workflow["permissions"] == {"contents": "read"}
        for job in workflow["jobs"].values():
            assert job["timeout-minutes"] <= 60
            for step in job["steps"]:
                if "uses" in step:
                    assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"]), step
                if step.get("uses", "").startswith("actions/checkout@"):
                    assert step["with"]["persist-credentials"] is False
