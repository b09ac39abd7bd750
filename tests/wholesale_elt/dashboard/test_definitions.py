"""Definitions are the descriptions of the models, and no figure of the dashboard is without one."""

import pytest

from support.documents.definitions import definitions, text
from support.warehouses.sites import Site
from wholesale_elt.dashboard.definitions import FILE
from wholesale_elt.dashboard.page import DashboardPage
from wholesale_elt.dashboard.pages import PAGES


def test_the_definitions_are_those_of_the_models_of_now(site: Site) -> None:
    assert FILE.read_text("utf-8") == text(), "run `poe generate`"
    assert site.content("definitions") == definitions()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_column_that_is_shown_is_defined(page: DashboardPage) -> None:
    defined = definitions()
    for tile in page.tiles:
        shown = {column.name for column in tile.columns if column.label}
        assert {name for name in shown if not defined[tile.model].get(name)} == set()
