"""A module of the extra `all` is imported, or named together with the way to install it."""

import json
import sys
from importlib import import_module

import pytest

from wholesale.errors import ConfigurationError
from wholesale_elt.process.extras import allow_import, block_import, import_extra


def test_a_module_that_is_installed_is_imported() -> None:
    assert import_extra("json") is json


def test_a_module_that_is_missing_is_named_with_the_way_to_install_it() -> None:
    with pytest.raises(ConfigurationError) as caught:
        import_extra("no_such_module.inside")
    assert str(caught.value) == (
        "this command needs no_such_module, which is not installed: install its extra,"
        ' `pip install "wholesale-elt[all]"`'
    )


def test_a_module_is_kept_out_until_it_is_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "keyword", raising=False)
    block_import("keyword")
    block_import("keyword")
    with pytest.raises(ModuleNotFoundError, match="No module named 'keyword'"):
        import_module("keyword")
    allow_import("keyword")
    assert import_module("keyword").__name__ == "keyword"
