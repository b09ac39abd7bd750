"""The registry of the dashboard: what it says of itself fits together."""

import re
from pathlib import Path

import pytest

from wholesale_elt.dashboard.filters import FILTERS
from wholesale_elt.dashboard.page import DashboardPage, Headline, Table
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.dashboard.pages.chase import AGES
from wholesale_elt.models.project import project_folder

by_name = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@by_name
def test_each_list_of_a_page_has_a_name_of_its_own(page: DashboardPage) -> None:
    names = [entry.name for entry in (*page.tiles, *page.lists)]
    assert len(names) == len(set(names))


@by_name
def test_a_headline_names_columns_that_it_has(page: DashboardPage) -> None:
    for tile in page.tiles:
        if isinstance(tile, Headline):
            named = set(re.findall(r"\{(\w+)\}", f"{tile.figure} {tile.note}"))
            assert named <= {column.name for column in tile.columns}


@by_name
def test_a_table_shows_the_column_that_it_is_in_the_order_of(page: DashboardPage) -> None:
    for tile in page.tiles:
        if isinstance(tile, Table):
            shown = {column.name for column in tile.columns if column.label}
            assert {tile.sort} - {""} <= shown


@by_name
def test_a_tile_has_the_columns_of_the_filters_that_it_follows(page: DashboardPage) -> None:
    for tile in page.tiles:
        assert set(tile.filters) <= set(FILTERS)
        if tile.rows is not None:
            needed = {FILTERS[name].column for name in tile.filters}
            assert needed <= {column.name for column in tile.columns}


def test_each_page_has_a_script_of_its_name() -> None:
    site = Path(__file__).parents[3] / "pipelines/wholesale_elt/dashboard/site"
    assert {path.stem for path in (site / "pages").glob("*.js")} == {page.name for page in PAGES}


def test_ages_are_those_of_the_models() -> None:
    macro = (project_folder() / "macros/ages.sql").read_text("utf-8")
    assert tuple(re.findall(r"(?:then|else) '([^']+)'", macro)) == AGES
