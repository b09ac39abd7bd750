"""A reading counts each thing once, whichever way it is read."""

import numpy as np
import pytest

from wholesale.api.resources import RESOURCE
from wholesale.compare.stored import Compared
from wholesale.json.page import Page, RawPage
from wholesale.names import EARLY_STOP
from wholesale.pages.paginator import Paginator
from wholesale.sync.tally import Tally
from wholesale.tables.careful import decode_carefully
from wholesale.tables.shapes import shape_of


def listed(*totals: int) -> Paginator:
    paginator = Paginator()
    for number, total in enumerate(totals):
        paginator.see(Page(b'[{"id":%d}]' % number, 1, total_count=total))
    return paginator


def test_a_reading_that_follows_another_one_accounts_for_both() -> None:
    earlier = Tally("orders", changed=3, found=["orders.a"], first_total=9, audited=5, silent=4)
    later = Tally("orders", started_at=earlier.started_at, found=["orders.b"], first_total=8)
    for tally, number in ((earlier, 10), (later, 1)):
        tally.traffic.add(requests=number)
        tally.pages = tally.full_scans = tally.new = tally.missed = tally.loaded = number

    later.follow(earlier)

    assert (later.pages, later.full_scans, later.new, later.missed, later.loaded) == (11,) * 5
    assert (later.traffic.requests, later.changed, later.audited, later.silent) == (11, 3, 5, 4)
    assert (later.started_at, later.found) == (earlier.started_at, ["orders.a", "orders.b"])
    assert later.first_total == 8


def test_the_pages_and_duplicates_of_all_lists_count_and_the_span_of_their_totals() -> None:
    tally = Tally("vendors")
    tally.see_list(listed(3, 4), duplicates=1)
    tally.see_list(listed(5), duplicates=2)

    assert (tally.full_scans, tally.pages, tally.duplicates) == (2, 3, 3)
    assert (tally.first_total, tally.last_total) == (3, 5)


def test_an_early_stop_counts_what_the_list_counts() -> None:
    tally = Tally("orders")
    tally.see_head(12)

    assert (tally.strategy, tally.full_scans) == (EARLY_STOP, 1)
    assert (tally.first_total, tally.last_total) == (12, 12)


@pytest.mark.parametrize(("has_versions", "changed"), [(True, 1), (False, None)])
def test_records_that_came_in_full_are_counted_as_new_or_changed(
    has_versions: bool, changed: int | None
) -> None:
    tally = Tally("orders")
    is_known, differs = np.array([False, True, True]), np.array([True, True, False])
    tally.add_records(Compared(is_known, is_known, differs, ~differs), has_versions=has_versions)

    assert (tally.taken, tally.new, tally.added, tally.changed) == (3, 1, 1, changed)


def test_odd_values_and_pages_of_all_batches_are_added_up() -> None:
    page = RawPage(b'[{"id":"a","zip":true,"phone":[]},{"id":"b","zip":{}},{"name":"c"}]', 3)
    odd = decode_carefully(page, shape_of(RESOURCE["vendors"]))
    tally = Tally("vendors")

    tally.see_odd(odd.misfits, odd.careful_pages)
    tally.see_odd(odd.misfits, odd.careful_pages)

    assert (tally.careful_pages, tally.unreadable) == (2, 6)
    assert tally.misfits == {("vendors", "zip"): 4, ("vendors", "phone"): 2}
