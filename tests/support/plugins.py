"""Plug-ins: a distribution for one test, with entry points and the module that they name."""

import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from wholesale_elt.process import entry_points as reading

MODULE = "added_for_a_test"


def install(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    entry_points: Mapping[str, Mapping[str, str]],
    source: str,
) -> None:
    """Put a module with that source on the path, and a distribution with these entry points, by
    group and name."""
    about = folder / "added-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n")
    groups = (
        "\n".join([f"[wholesale.{group}]", *(f"{name} = {to}" for name, to in points.items())])
        for group, points in entry_points.items()
    )
    (about / "entry_points.txt").write_text("\n".join(groups) + "\n")
    (folder / f"{MODULE}.py").write_text(dedent(source))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    monkeypatch.setattr(reading, "_points", reading._points.__wrapped__)
