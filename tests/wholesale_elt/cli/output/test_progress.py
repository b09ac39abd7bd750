"""Progress where nobody watches: a line a tenth, and none that goes back."""

import json

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


def test_the_time_that_is_left_is_told_once_there_is_a_pace(
    capsys: pytest.CaptureFixture[str],
) -> None:
    times = iter((0, 1, 10, 60, 90, 100, 300))
    tenths = Tenths(Output(), clock=lambda: float(next(times)))
    for done in (1, 21, 41, 101, 200):
        tenths.show("models", done, 200)
    tenths.show("models", 1, 200)
    tenths.show("models", 21, 200)

    assert capsys.readouterr().err.splitlines() == [
        "models: 1 of 200",
        "models: 21 of 200",
        "models: 41 of 200, about 40 s left",
        "models: 101 of 200, about 59 s left",
        "models: 200 of 200",
        "models: 1 of 200",
        "models: 21 of 200, about 30 min left",
    ]


def test_a_program_is_told_the_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter((0, 10))
    tenths = Tenths(Output(log_format="json"), clock=lambda: float(next(times)))
    tenths.show("models", 1, 200)
    tenths.show("models", 101, 200)

    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert "seconds_left" not in first
    assert (second["done"], second["of"], second["seconds_left"]) == (101, 200, 10)
