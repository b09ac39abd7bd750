"""Pages: each names the tables of the data files that it reads, so lineage leads to it."""

import pytest

from wholesale_elt.dashboard.contents import CONTENTS
from wholesale_elt.dashboard.pages import PAGES


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("today", ("tasks", "news")),
        ("fulfilment", ("fulfilment",)),
        ("changes", ("changes", "events")),
        ("health", ("health",)),
    ],
)
def test_a_page_names_the_tables_that_it_reads(page: str, names: tuple[str, ...]) -> None:
    [models] = [each.models for each in PAGES if each.name == page]
    read = {table for each in CONTENTS if each.name in names for table in each.tables}
    assert read <= set(models)
    assert len(models) == len(set(models))
