"""What is synced to the disk is a file or a folder that exists."""

import os
from pathlib import Path

import pytest

from wholesale_elt.process.disk import sync_to_disk


def test_a_file_and_its_folder_are_forced_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", lambda opened: synced.append(os.fstat(opened).st_ino))
    file = tmp_path / "version"
    file.touch()

    sync_to_disk(file)
    sync_to_disk(tmp_path)

    assert synced == [file.stat().st_ino, tmp_path.stat().st_ino]


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sync_to_disk(tmp_path / "nothing")
