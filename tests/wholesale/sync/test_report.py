"""A report doubts a read for every sign that speaks against it, and for nothing else."""

from datetime import UTC, datetime

import numpy as np
import pytest

from wholesale.api.resources import RESOURCE
from wholesale.compare.stored import Compared
from wholesale.json.page import Page, RawPage
from wholesale.pages.paginator import Paginator
from wholesale.prove.proof import Proof
from wholesale.sync.report import EARLY_STOP, REFUSED, UNPROVED, Report
from wholesale.tables.careful import decode_carefully
from wholesale.tables.decoded import Decoded
from wholesale.tables.shapes import shape_of

PROOF = Proof("count", datetime(2026, 1, 1, tzinfo=UTC), 1)


def listed(*totals: int) -> Paginator:
    paginator = Paginator()
    for number, total in enumerate(totals):
        paginator.see(Page(b'[{"id":%d}]' % number, 1, total_count=total))
    return paginator


def odd() -> Decoded:
    page = RawPage(b'[{"id":"a","zip":true,"phone":[]},{"id":"b","zip":{}},{"name":"c"}]', 3)
    return decode_carefully(page, shape_of(RESOURCE["vendors"]))


def add(report: Report, decoded: Decoded) -> None:
    report.add_odd(decoded.quarantined, decoded.misfits, decoded.careful_pages)


def proved(**counts: int) -> Report:
    report = Report("vendors", proof=PROOF, **counts)  # type: ignore[arg-type]
    report.finish()
    return report


def test_a_read_that_was_proved_is_beyond_doubt() -> None:
    report = proved()

    assert report.doubts() == []
    assert report.ended_at is not None
    assert report.ended_at >= report.started_at


def test_a_read_that_did_not_finish_is_doubted() -> None:
    assert Report("vendors").doubts() == ["the read did not reach the end"]


def test_a_reading_that_follows_another_one_accounts_for_both() -> None:
    earlier = Report("orders", changed=3, found=["orders.a"], first_total=9)
    later = Report("orders", started_at=earlier.started_at, found=["orders.b"], first_total=8)
    for report, number in ((earlier, 10), (later, 1)):
        report.traffic.add(requests=number)
        report.pages = report.sweeps = report.new = report.missed = report.loaded = number
    earlier.audited, earlier.silent = 5, 4

    later.follow(earlier)

    assert (later.pages, later.sweeps, later.new, later.missed, later.loaded) == (11,) * 5
    assert (later.traffic.requests, later.changed, later.audited, later.silent) == (11, 3, 5, 4)
    assert (later.started_at, later.found) == (earlier.started_at, ["orders.a", "orders.b"])
    assert (later.first_total, later.proof) == (8, None)


def test_a_read_that_failed_says_why() -> None:
    report = Report("vendors")
    report.fail("GET /vendors answered 500")

    assert report.doubts() == ["GET /vendors answered 500"]


def test_a_read_without_proof_is_doubted_and_tells_the_faults_that_it_met() -> None:
    report = Report("vendors", faults=["page 2 repeats page 1", "page 2 repeats page 1"])
    report.finish()

    assert report.doubts() == ["page 2 repeats page 1"]


def test_a_read_without_proof_is_doubted_where_nothing_else_says_why() -> None:
    report = Report("vendors")
    report.finish()

    assert report.doubts() == [UNPROVED]


def test_a_fault_does_not_speak_against_what_was_proved() -> None:
    report = proved()
    report.faults.append("page 2 repeats page 1")

    assert report.doubts() == []


def test_a_doubt_takes_back_what_was_proved() -> None:
    report = proved()
    report.doubt("the list of items is in doubt")

    assert report.doubts() == ["the list of items is in doubt"]


def test_what_is_not_settled_is_counted_a_sentence_a_class() -> None:
    report = proved(quarantined=2)
    report.refused = [f"id-{number}" for number in range(1_234)]
    report.suspects = ("a", "b", "c")

    assert report.doubts() == [
        "3 stored records not listed, and not settled yet",
        f"1,234 records {REFUSED}",
        "2 records in quarantine",
    ]


def test_all_was_read_where_the_end_was_reached_and_nothing_refused_or_open() -> None:
    left_open, refused = proved(), proved()
    left_open.suspects = refused.refused = ("a",)

    assert proved().has_read_all
    assert not Report("vendors").has_read_all
    assert not refused.has_read_all
    assert not left_open.has_read_all


def test_the_pages_and_duplicates_of_all_lists_count_and_the_span_of_their_totals() -> None:
    report = Report("vendors")
    report.see_list(listed(3, 4), duplicates=1)
    report.see_list(listed(5), duplicates=2)

    assert (report.sweeps, report.pages, report.duplicates) == (2, 3, 3)
    assert (report.first_total, report.last_total) == (3, 5)


def test_an_early_stop_counts_what_the_list_counts() -> None:
    report = Report("orders")
    report.stop_early(PROOF, 12)
    report.finish()

    assert (report.strategy, report.sweeps, report.proof) == (EARLY_STOP, 1, PROOF)
    assert (report.first_total, report.last_total, report.doubts()) == (12, 12, [])


@pytest.mark.parametrize(("has_versions", "changed"), [(True, 1), (False, None)])
def test_records_that_came_in_full_are_counted_as_new_or_changed(
    has_versions: bool, changed: int | None
) -> None:
    report = Report("orders")
    is_known, differs = np.array([False, True, True]), np.array([True, True, False])
    report.add_records(
        Compared(is_known, is_known, differs, ~differs),
        has_versions=has_versions,
    )

    assert (report.taken, report.new, report.changed) == (3, 1, changed)


def test_odd_records_and_pages_of_all_batches_are_added_up() -> None:
    report = proved()

    add(report, odd())
    add(report, odd())

    assert (report.quarantined, report.careful_pages, report.unreadable) == (2, 2, 6)
    assert report.misfits == {("vendors", "zip"): 4, ("vendors", "phone"): 2}
    assert report.doubts() == ["2 records in quarantine"]


def test_a_report_without_a_proof_has_none_at_an_earlier_moment_either() -> None:
    report = Report("variants")
    report.prove_no_later_than(datetime(2024, 1, 2, tzinfo=UTC))

    assert report.proof is None
