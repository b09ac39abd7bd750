"""The ways of three users: what the installed command shows them is what is written down."""

from pathlib import Path

import pytest

from support.documents.ways import FOLDER, WAYS, played


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_a_user_is_shown_what_is_written_down(name: str, tmp_path: Path) -> None:
    assert played(name, tmp_path) == (FOLDER / f"{name}.txt").read_text("utf-8"), "run `poe ways`"


def test_every_text_is_of_a_way() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == WAYS.keys()
