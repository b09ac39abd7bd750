"""A sink watches a command if a setting begins with its name, and is not imported otherwise."""

import logging
import sys
from pathlib import Path

import pytest

from support.plugins import MODULE, install
from wholesale.errors import ConfigurationError
from wholesale_elt.monitoring.reporting import follow
from wholesale_elt.monitoring.settings import read_settings
from wholesale_elt.monitoring.summary import Summary
from wholesale_elt.warehouse.destination import Warehouse

SOURCE = """
    seen = []

    class Pager:
        def begins(self, phase, at):
            seen.append(phase)

        def ends(self, phase, summary, error):
            seen.append(type(error).__name__)

        def ended(self, summary):
            seen.append(summary.result)

    def follow(warehouse, summary):
        return Pager()
"""
POINTS = {"sinks": {"pager": f"{MODULE}:follow [pager]"}}


def build(folder: Path) -> None:
    summary = Summary(command="build")
    follow(Warehouse(folder / "w.duckdb"), summary)
    with summary.phase("build"):
        pass
    summary.end(0, None)


def test_a_sink_that_is_set_is_told_of_each_phase_and_of_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, POINTS, SOURCE)
    build(tmp_path)
    assert MODULE not in sys.modules

    monkeypatch.setenv("MONITORING__PAGER_NUMBER", "5")
    build(tmp_path)

    assert sys.modules[MODULE].seen == ["build", "NoneType", "complete"]
    assert read_settings().webhook_seconds == 10


def test_a_setting_of_no_sink_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONITORING__PAGER_NUMBER", "5")

    with pytest.raises(ConfigurationError):
        read_settings()


def test_a_sink_whose_library_is_missing_is_a_warning_that_names_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install(tmp_path, monkeypatch, POINTS, "import a_library_that_nobody_has")
    monkeypatch.setattr(logging.getLogger("wholesale"), "propagate", True)
    monkeypatch.setenv("MONITORING__PAGER_NUMBER", "5")

    build(tmp_path)

    assert "[pager]" in caplog.text
