"""One run at a time holds a lock, and another one is told which."""

import os
import sys
from pathlib import Path

import pytest

from wholesale.errors import ConfigurationError
from wholesale_elt.process.lock import AlreadyRunning, hold


def test_a_lock_that_is_held_is_refused_by_the_name_of_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "state" / "lock"
    with (
        hold(path),
        pytest.raises(
            AlreadyRunning,
            match=rf"the folder: process {os.getpid()}, since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d UTC",
        ),
        hold(path, "the folder"),
    ):
        pytest.fail("held twice")


def test_a_holder_that_has_not_said_its_name_yet_is_another_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with hold(path):
        path.write_text("")
        with (
            pytest.raises(AlreadyRunning, match="another process"),
            hold(path),
        ):
            pytest.fail("held twice")


def test_a_lock_that_was_let_go_can_be_held_again_whatever_became_of_its_holder(
    tmp_path: Path,
) -> None:
    path = tmp_path / "lock"
    with pytest.raises(KeyError), hold(path):
        raise KeyError
    path.write_text(f"process {'9' * 20}, long ago")

    with hold(path):
        assert path.read_text().startswith(f"process {os.getpid()}, since ")


def test_a_lock_is_never_written_through_a_link(tmp_path: Path) -> None:
    path, target = tmp_path / "lock", tmp_path / "somebody else's"
    path.symlink_to(target)

    with (
        pytest.raises(ConfigurationError, match="lock is a symbolic link"),
        hold(path),
    ):
        pytest.fail("held through a link")

    assert not target.exists()


def test_a_lock_that_cannot_be_written_says_what_the_system_says(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), hold(tmp_path):
        pytest.fail("held a folder")


def test_a_system_without_locks_is_told_where_to_load_and_publish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)

    with pytest.raises(ConfigurationError, match="WSL"), hold(tmp_path / "state" / "lock"):
        pytest.fail("held without a lock")
    assert list(tmp_path.iterdir()) == []
