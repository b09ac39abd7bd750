"""Plug-ins are found by name and imported when asked for; what is missing is named by its extra."""

import sys
from pathlib import Path

import pytest

from support.plugins import MODULE, install
from wholesale.errors import ConfigurationError
from wholesale_elt.process import plugin_names, plugins


def test_the_names_of_a_group_are_known_without_importing_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(plugin_names("sinks"))
    install(tmp_path, monkeypatch, {"sinks": {"pager": f"{MODULE}:pager"}}, "pager = 1")

    assert set(plugin_names("sinks")) - before == {"pager"}
    assert MODULE not in sys.modules
    assert list(plugins("sinks", "pager")) == [1]
    assert list(plugins("sinks", "another")) == []
    assert 1 in plugins("sinks")


@pytest.mark.parametrize(("extras", "named"), [(" [pager]", "pager"), ("", "all")])
def test_what_is_missing_is_named_with_the_extra_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extras: str, named: str
) -> None:
    points = {"sinks": {"pager": f"{MODULE}:pager{extras}"}}
    install(tmp_path, monkeypatch, points, "import beeper_of_the_nineties")

    with pytest.raises(ConfigurationError) as refused:
        list(plugins("sinks", "pager"))

    assert "beeper_of_the_nineties" in str(refused.value)
    assert f"[{named}]" in str(refused.value)
