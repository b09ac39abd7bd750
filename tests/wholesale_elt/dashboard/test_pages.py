"""Pages: each names the tables of the data files that it reads, so lineage leads to it."""

import pytest

from wholesale_elt.dashboard.contents import CONTENTS, FOLDERS
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.models import read_contract


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("today", ("tasks", "news")),
        ("fulfilment", ("fulfilment",)),
        ("changes", ("changes", "events")),
        ("closed", ("closed",)),
        ("next", ("next", "outlook")),
        ("health", ("health",)),
    ],
)
def test_a_page_names_the_tables_that_it_reads(page: str, names: tuple[str, ...]) -> None:
    [models] = [each.models for each in PAGES if each.name == page]
    read = {table for each in CONTENTS if each.name in names for table in each.tables}
    assert read <= set(models)
    assert len(models) == len(set(models))


def test_every_report_is_on_a_page_and_only_those_of_no_other_are_on_that_of_reports() -> None:
    on_pages = [each for page in PAGES for each in {*page.models} if each.startswith("rpt_")]
    [alone] = [page.models for page in PAGES if page.name == "reports"]
    assert {*on_pages} == {*read_contract("bi")}
    assert {name for name in alone if on_pages.count(name) > 1} == set()


def test_the_pages_of_objects_name_what_their_parts_are_made_of() -> None:
    named = {model for page in PAGES for model in page.models}
    assert {table for folder in FOLDERS for table in folder.tables} <= named
