"""A file is replaced whole or not at all, and nothing of a try is left under its name."""

import os
from pathlib import Path

import pytest

from wholesale_elt.process import disk
from wholesale_elt.process.disk import (
    PARTIAL,
    make_private,
    put_in_place,
    replace,
    sync_to_disk,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "current.json"
    path.write_text("old")
    return path


def test_what_is_written_has_the_name_when_it_is_whole(path: Path) -> None:
    def write(partial: Path) -> None:
        partial.write_text("ne")
        assert path.read_text() == "old"
        with partial.open("a") as file:
            file.write("w")

    replace(path, write)

    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_what_breaks_off_leaves_the_file_as_it_was(path: Path) -> None:
    def write(partial: Path) -> None:
        partial.write_text("ne")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        replace(path, write)
    assert path.read_text() == "old"

    replace(path, lambda partial: partial.write_text("new"))
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_what_a_dead_process_left_half_written_is_not_taken_for_a_part_of_it(path: Path) -> None:
    path.with_name(f".{path.name}{PARTIAL}").write_text("half of something longer")

    def write(partial: Path) -> None:
        with partial.open("a") as file:
            file.write("new")

    replace(path, write)
    assert path.read_text() == "new"


def test_a_file_from_elsewhere_takes_the_name(path: Path) -> None:
    other = path.with_name("other")
    other.write_text("new")

    put_in_place(other, path)

    assert (path.read_text(), other.exists()) == ("new", False)


def test_where_no_folder_can_be_opened_the_file_alone_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_any, opened = os.open, list[tuple[str, int]]()

    def note(place: Path, flags: int) -> int:
        opened.append((place.name, flags))
        return open_any(place, flags)

    monkeypatch.setattr(disk, "OPENS_FOLDERS", False)
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", note)
        sync_to_disk(path)
        sync_to_disk(path.parent)

    assert opened == [("current.json", os.O_RDWR)]


def test_who_a_file_is_of_need_not_be_known(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "geteuid")
    make_private(path, path.with_name("missing"))
    assert path.read_text() == "old"
