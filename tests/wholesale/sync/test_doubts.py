"""A reading is doubted for every sign that speaks against it, and for nothing else."""

from datetime import UTC, datetime

from wholesale.prove.proof import Proof
from wholesale.sync.doubts import REFUSED, UNPROVED, Doubts

PROOF = Proof("count", datetime(2026, 1, 1, tzinfo=UTC), 1)


def proved() -> Doubts:
    doubts = Doubts(PROOF)
    doubts.finish()
    return doubts


def test_a_reading_that_was_proved_is_beyond_doubt() -> None:
    began_at = datetime.now(UTC)
    doubts = proved()

    assert doubts.sentences() == []
    assert doubts.ended_at is not None
    assert doubts.ended_at >= began_at


def test_a_reading_that_did_not_finish_is_doubted() -> None:
    assert Doubts().sentences() == ["the read did not reach the end"]


def test_a_reading_that_failed_says_why() -> None:
    doubts = Doubts()
    doubts.fail("GET /vendors answered 500")

    assert doubts.sentences() == ["GET /vendors answered 500"]


def test_a_reading_without_proof_is_doubted_and_tells_the_faults_that_it_met() -> None:
    doubts = Doubts(faults=["page 2 repeats page 1", "page 2 repeats page 1"])
    doubts.finish()

    assert doubts.sentences() == ["page 2 repeats page 1"]


def test_a_reading_without_proof_is_doubted_where_nothing_else_says_why() -> None:
    doubts = Doubts()
    doubts.finish()

    assert doubts.sentences() == [UNPROVED]


def test_a_fault_does_not_speak_against_what_was_proved() -> None:
    doubts = proved()
    doubts.add_faults(["page 2 repeats page 1"])

    assert doubts.sentences() == []


def test_a_proof_that_is_withdrawn_leaves_its_reason() -> None:
    doubts = proved()
    doubts.withdraw("the list of items is in doubt")

    assert doubts.sentences() == ["the list of items is in doubt"]


def test_what_is_not_settled_is_counted_a_sentence_a_class() -> None:
    doubts = proved()
    doubts.add_quarantined(2)
    doubts.leave_open("abc", [f"id-{number}" for number in range(1_234)])

    assert doubts.sentences() == [
        "3 stored records not listed, and not settled yet",
        f"1,234 records {REFUSED}",
        "2 records in quarantine",
    ]


def test_all_was_read_where_the_end_was_reached_and_nothing_refused_or_open() -> None:
    left_open, refused = proved(), proved()
    left_open.leave_open("a", ())
    refused.leave_open((), "a")

    assert proved().has_read_all
    assert not Doubts().has_read_all
    assert not refused.has_read_all
    assert not left_open.has_read_all


def test_a_reading_without_a_proof_has_none_at_an_earlier_moment_either() -> None:
    doubts = Doubts()
    doubts.prove_no_later_than(datetime(2024, 1, 2, tzinfo=UTC))

    assert doubts.proof is None
