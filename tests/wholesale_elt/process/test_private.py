"""What holds personal data is for its user alone; everything else is as the system makes it."""

import os
import stat
from pathlib import Path

import pytest

from wholesale_elt.process.disk import make_private, private


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(("is_so", "of_others"), [(True, 0), (False, 0o044)])
def test_files_made_within_are_private_and_later_ones_are_not(
    tmp_path: Path, is_so: bool, of_others: int
) -> None:
    before = os.umask(0o022)
    try:
        with private(is_so):
            (tmp_path / "within").touch()
        (tmp_path / "after").touch()
    finally:
        os.umask(before)

    assert mode(tmp_path / "within") & 0o077 == of_others
    assert mode(tmp_path / "after") & 0o077 == 0o044


def test_what_is_there_is_taken_from_others_and_what_is_not_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch()
    path.chmod(0o666)

    make_private(path, tmp_path / "none")

    assert mode(path) == 0o600
