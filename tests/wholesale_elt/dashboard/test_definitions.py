"""Definitions are the descriptions of the models, and no figure of the dashboard is without one."""

import pytest

from support.warehouses.sites import Site
from wholesale_elt.dashboard.definitions import read_definitions
from wholesale_elt.dashboard.page import DashboardPage
from wholesale_elt.dashboard.pages import PAGES


def test_a_site_has_the_definitions_of_what_it_shows(site: Site) -> None:
    assert site.content("definitions") == read_definitions()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_column_that_is_shown_is_defined(page: DashboardPage) -> None:
    defined = read_definitions()
    for tile in page.tiles:
        shown = {column.name for column in tile.columns if column.label}
        assert {name for name in shown if not defined[tile.model].get(name)} == set()
