"""A report doubts a read for every sign that speaks against it, and for nothing else."""

import pytest

from support.lists import decoded, numbered
from wholesale.api.resources import RESOURCE
from wholesale.pages.page import Page, RawPage
from wholesale.pages.pagination import Paginator
from wholesale.sync.passes import Pass
from wholesale.sync.report import Report
from wholesale.tables.careful import decode_carefully
from wholesale.tables.decoded import Decoded
from wholesale.tables.shapes import shape_of


def passed(total: int, records: int, duplicates: int = 0) -> Pass:
    """A pass over one page that counts `total`, of which `records` came."""
    paginator = Paginator()
    paginator.see(Page(b"[0]", 1, total_count=total))
    paginator.records = records
    this_pass = Pass(None, paginators=[paginator], duplicates=duplicates)
    this_pass.see(decoded("vendors", numbered(records)))
    return this_pass


def odd() -> Decoded:
    page = RawPage(b'[{"id":"a","zip":true,"phone":[]},{"id":"b","zip":{}},{"name":"c"}]', 3)
    return decode_carefully(page, shape_of(RESOURCE["vendors"]))


def add(report: Report, decoded: Decoded) -> None:
    report.add_odd(decoded.quarantined, decoded.misfits, decoded.careful_pages)


def test_a_read_without_any_sign_is_beyond_doubt() -> None:
    report = Report("vendors")
    report.end_pass(passed(2, 2))
    report.finish()

    assert (report.passes, report.pages, report.ids_seen) == (1, 1, 2)
    assert (report.first_total, report.last_total) == (2, 2)
    assert report.doubts() == []
    assert report.ended_at is not None
    assert report.ended_at >= report.started_at


def test_a_read_that_did_not_finish_is_doubted() -> None:
    assert Report("vendors").doubts() == ["the read did not reach the end"]


def test_the_last_pass_decides_and_pages_and_duplicates_are_those_of_all() -> None:
    report = Report("vendors")
    for number, ended in enumerate((passed(3, 2, duplicates=1), passed(4, 4)), 1):
        report.begin_pass(number, is_whole=True)
        report.end_pass(ended)
    report.finish()

    assert (report.passes, report.pages, report.duplicates, report.ids_seen) == (2, 2, 1, 4)
    assert (report.first_total, report.last_total) == (3, 4)
    assert report.doubts() == []


def test_a_doubt_of_the_last_pass_stays() -> None:
    report = Report("vendors")
    report.end_pass(passed(2, 2))
    report.end_pass(passed(3, 2))
    report.finish()

    assert report.doubts() == ["2 records came where 3 are counted"]


def test_a_fault_stays_whatever_the_last_pass_says_and_is_told_once() -> None:
    report = Report("vendors", faults=["the list is empty", "the list is empty"])
    report.end_pass(passed(2, 2))
    report.finish()

    assert report.doubts() == ["the list is empty"]


def test_batches_are_counted() -> None:
    report = Report("vendors")
    report.finish()

    add(report, odd())
    add(report, odd())

    assert (report.quarantined, report.careful_pages, report.unreadable) == (2, 2, 6)
    assert report.misfits == {("vendors", "zip"): 4, ("vendors", "phone"): 2}
    assert report.doubts() == ["2 records are in quarantine"]


@pytest.mark.parametrize(("is_whole", "times"), [(True, 1), (False, 2)])
def test_a_pass_that_reads_everything_in_full_counts_odd_values_anew(
    is_whole: bool, times: int
) -> None:
    report = Report("vendors")
    for number in (1, 2):
        report.begin_pass(number, is_whole=is_whole)
        add(report, odd())

    assert (report.quarantined, report.careful_pages) == (2, times)
    assert report.misfits == {("vendors", "zip"): 2 * times, ("vendors", "phone"): times}
