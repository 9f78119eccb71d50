"""Locations of files: patterns, nested folders, and file systems with cached listings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import jounce
from jounce.identification import identify
from jounce.identification.partitions import partitions
from jounce.robot import Robot
from support.identify_data import Motion, changed, cut, motion, two_links, write_parquet

DataError = jounce.DataError


@pytest.fixture(scope="module")
def data(arm: Robot) -> Motion:
    return motion(changed(arm), 400, noise=0.02)


@pytest.fixture
def spark(arm: Robot, data: Motion, tmp_path: Path) -> Path:
    """Two folders that are tables, and one file."""
    place = tmp_path / "spark"
    item, two, three, four = cut(data, 100, 200, 300)
    for folder, parts in (("run1.parquet", (item, two)), ("run2.parquet", (three,))):
        (place / folder).mkdir(parents=True)
        for k, part in enumerate(parts):
            write_parquet(arm, part, place / folder / f"part-{k}.parquet")
        (place / folder / "_SUCCESS").touch()
        (place / folder / ".part-0.parquet.crc").touch()
    write_parquet(arm, four, place / "single.parquet")
    return place


ALL = ["run1.parquet/part-0.parquet", "run1.parquet/part-1.parquet"]
ALL += ["run2.parquet/part-0.parquet", "single.parquet"]


def find(given: Any, place: Path) -> list[str]:
    return [str(Path(part.name).relative_to(place)) for part in partitions(given)[1]]


@pytest.mark.parametrize("pattern", ["*.parquet", "**/*.parquet", "**", "*", ""])
def test_folders_that_are_tables(pattern: str, arm: Robot, spark: Path) -> None:
    arguments = f"{spark}/{pattern}"
    assert find(arguments, spark) == ALL
    assert identify(arm, arguments, method="ols", folds=0).factors.count == 400


def test_some_of_them(spark: Path) -> None:
    assert find(f"{spark}/run1*", spark) == ALL[:2]
    assert find([f"{spark}/run2*", f"{spark}/single.parquet"], spark) == ALL[2:]
    assert find(f"{spark.parent}/sp*", spark) == ALL
    with pytest.raises(DataError, match=r"part-0.parquet' occurs twice"):
        partitions([f"{spark}/run1*", f"{spark}/run1.parquet/part-0.parquet"])


def test_other_files_and_folders_on_the_way(spark: Path) -> None:
    (spark / "readme.md").touch()
    (spark / "empty").mkdir()
    (spark / "deep" / "er").mkdir(parents=True)
    (spark / "single.parquet").rename(spark / "deep" / "er" / "z.parquet")
    for pattern in ("**/*.parquet", "**"):
        assert find(f"{spark}/{pattern}", spark) == ["deep/er/z.parquet", *ALL[:3]]
    with pytest.raises(DataError, match=r"/empt\*': there is no such file, nor one"):
        identify(two_links(), f"{spark}/empt*")


@pytest.mark.parametrize("pattern", ["*", "**", "run?"])
def test_folders_of_arrays_stay_whole(
    pattern: str, arm: Robot, data: Motion, tmp_path: Path
) -> None:
    for k, part in enumerate(cut(data, 200)):
        (tmp_path / f"run{k}").mkdir()
        for name, x in part.arrays().items():
            np.save(tmp_path / f"run{k}" / f"{name}.npy", x)
    assert find(f"{tmp_path}/{pattern}", tmp_path) == ["run0", "run1"]
    assert identify(arm, f"{tmp_path}/{pattern}", method="ols", folds=0).factors.count == 400


# ------------------------------------------------------------------ other systems


@pytest.fixture
def remembering() -> Iterator[Any]:
    """A system that remembers its lists of files, as those of clouds do."""
    fsspec = pytest.importorskip("fsspec")
    from fsspec.implementations.memory import MemoryFileSystem

    class Remembering(MemoryFileSystem):
        protocol = "remembering"
        store: ClassVar[dict[str, Any]] = {}
        pseudo_dirs: ClassVar[list[str]] = [""]
        known: ClassVar[dict[str, Any]] = {}

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            return super()._strip_protocol(path.replace("remembering://", "memory://"))

        def ls(self, path: str, detail: bool = True, **options: Any) -> Any:
            path = self._strip_protocol(path)
            if path not in self.known:
                self.known[path] = super().ls(path, detail=True)
            files = self.known[path]
            return files if detail else [x["name"] for x in files]

        def info(self, path: str, **options: Any) -> Any:
            path = self._strip_protocol(path)
            for x in self.known.get(self._parent(path), ()):
                if x["name"] == path:
                    return x
            return super().info(path)

        def invalidate_cache(self, path: str | None = None) -> None:
            self.known.clear() if path is None else self.known.pop(path, None)

    fsspec.register_implementation("remembering", Remembering, clobber=True)
    yield fsspec.filesystem("remembering")
    Remembering.store.clear()
    Remembering.known.clear()


def test_folders_of_other_systems(arm: Robot, spark: Path, remembering: Any) -> None:
    remembering.put(str(spark), "/fleet", recursive=True)
    for pattern in ("/*.parquet", "/**/*.parquet", "", "/"):
        names = [part.name for part in partitions(f"remembering://fleet{pattern}")[1]]
        assert [name.removeprefix("remembering:///fleet/") for name in names] == ALL
    remembering.pipe("/other/readme.md", b"")
    with pytest.raises(DataError, match="there is no such file, nor one in it that ends in"):
        partitions("remembering://other")


def test_new_files_of_other_systems_are_seen(
    arm: Robot, data: Motion, tmp_path: Path, remembering: Any
) -> None:
    parts = [
        write_parquet(arm, x, tmp_path / "x.parquet").read_bytes() for x in cut(data, 100, 250)
    ]
    options: Any = {"method": "ols", "folds": 0, "keep": tmp_path / "kept"}
    remembering.pipe("/fleet/0.parquet", parts[0])
    remembering.pipe("/fleet/1.parquet", parts[1])
    for arguments in ("remembering://fleet/*.parquet", "remembering://fleet"):
        assert identify(arm, arguments, **options).factors.count == 250
    remembering.pipe("/fleet/2.parquet", parts[2])
    for arguments in ("remembering://fleet/*.parquet", "remembering://fleet"):
        assert identify(arm, arguments, **options).factors.count == 400
    remembering.pipe("/fleet/0.parquet", parts[2])  # another file by the same name
    names = [f"remembering://fleet/{k}.parquet" for k in range(2)]
    assert identify(arm, names, **options).factors.count == 300
