"""Bodies come the way that costs less."""

import pytest

from wholesale.sync.bodies import is_cheaper_by_page


@pytest.mark.parametrize(
    ("wanted", "pages", "records", "by_page"),
    [
        (0, 0, 0, False),
        (0, 3, 25, False),
        (1, 1, 1, False),
        (2, 1, 2, True),
        (8, 3, 25, False),
        (9, 3, 25, True),
        (10_000, 10_000, 1_000_000, False),
        (1_000_000, 10_000, 1_000_000, True),
    ],
)
def test_whole_pages_are_chosen_only_where_they_cost_less(
    wanted: int, pages: int, records: int, by_page: bool
) -> None:
    assert is_cheaper_by_page(wanted, pages, records) is by_page
