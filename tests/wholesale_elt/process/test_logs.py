"""The log: which lines are written, and in which form, ours and dlt's alike."""

import json
import logging
import os
from datetime import UTC, datetime

import pytest

from wholesale_elt.process.logs import set_up


def say_something() -> None:
    log = logging.getLogger("wholesale.sync")
    log.debug("asked for page %d", 1)
    log.warning("page %d came twice", 2)
    log.error("page %d did not come", 3)


@pytest.mark.parametrize(
    ("is_debug", "is_quiet", "lines"),
    [
        (False, False, ["WARNING", "ERROR"]),
        (False, True, ["ERROR"]),
        (True, False, ["DEBUG", "WARNING", "ERROR"]),
        (True, True, ["DEBUG", "WARNING", "ERROR"]),
    ],
)
def test_what_is_logged_is_what_was_asked_for(
    is_debug: bool, is_quiet: bool, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    set_up(is_debug=is_debug, is_quiet=is_quiet, log_format="text")

    say_something()

    told = {
        "DEBUG": "DEBUG wholesale.sync: asked for page 1",
        "WARNING": "WARNING wholesale.sync: page 2 came twice",
        "ERROR": "ERROR wholesale.sync: page 3 did not come",
    }
    assert capsys.readouterr().err.splitlines() == [told[level] for level in lines]


def test_json_lines_carry_time_level_logger_and_message(capsys: pytest.CaptureFixture[str]) -> None:
    set_up(is_debug=False, is_quiet=True, log_format="json")
    before = datetime.now(UTC)

    say_something()

    (line,) = capsys.readouterr().err.splitlines()
    entry = json.loads(line)
    assert before <= datetime.fromisoformat(entry.pop("at")) <= datetime.now(UTC)
    assert entry == {
        "level": "error",
        "logger": "wholesale.sync",
        "message": "page 3 did not come",
    }


@pytest.mark.parametrize(("is_quiet", "levels"), [(False, ["warning", "error"]), (True, ["error"])])
def test_what_other_libraries_warn_of_is_a_line_like_ours(
    is_quiet: bool,
    levels: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # as it is without pytest
    set_up(is_debug=False, is_quiet=is_quiet, log_format="json")

    log = logging.getLogger("another.library")
    log.info("opened %s", "x")
    log.warning("lost %s", "x")
    log.error("gave up %s", "x")

    told = {"warning": "lost x", "error": "gave up x"}
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["logger"], line["level"], line["message"]) for line in lines] == [
        ("another.library", level, told[level]) for level in levels
    ]


def test_lines_of_dlt_look_like_ours_whatever_formatter_dlt_gives(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up(is_debug=True, is_quiet=False, log_format="text")
    dlt = logging.getLogger("dlt")
    (handler,) = dlt.handlers
    handler.setFormatter(logging.Formatter("dlt says %(message)s"))

    dlt.error("a package was left behind")

    assert capsys.readouterr().err == "ERROR dlt: a package was left behind\n"


@pytest.mark.parametrize(("is_debug", "level"), [(False, "CRITICAL"), (True, "INFO")])
def test_dlt_is_told_how_much_to_say(is_debug: bool, level: str) -> None:
    set_up(is_debug=is_debug, is_quiet=False, log_format="text")
    assert os.environ["RUNTIME__LOG_LEVEL"] == level


def test_a_level_for_dlt_that_is_set_in_the_environment_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RUNTIME__LOG_LEVEL", "WARNING")
    set_up(is_debug=True, is_quiet=False, log_format="text")
    assert os.environ["RUNTIME__LOG_LEVEL"] == "WARNING"
