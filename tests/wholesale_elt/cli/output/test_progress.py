"""Progress where nobody watches: a line a tenth, and none that goes back."""

import pytest

from wholesale_elt.cli.output import Output
from wholesale_elt.cli.output.progress import Tenths


def test_a_line_is_shown_a_tenth_and_none_for_what_is_told_late(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tenths = Tenths(Output())
    for done in (1, 2, 19, 21, 20, 18, 199, 198, 200):
        tenths.show("models", done, 200)
    tenths.show("models", 1, 200)

    assert capsys.readouterr().err.splitlines() == [
        "models: 1 of 200",
        "models: 21 of 200",
        "models: 199 of 200",
        "models: 200 of 200",
        "models: 1 of 200",
    ]
