"""A digest tells in which part of a set of records anything differs, whatever their order."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

import pyarrow as pa
import pytest

from wholesale.compare.digests import BUCKETS, Digest, buckets_of, digest_of
from wholesale.tables.shapes import INSTANT, MONEY

SCHEMA = pa.schema([("id", pa.string()), ("total", MONEY), ("at", INSTANT), ("is_on", pa.bool_())])
AT = datetime(2026, 5, 1, tzinfo=UTC)


def rows(*of: tuple[str, str | None]) -> pa.Table:
    records = [
        {"id": key, "total": total and Decimal(total), "at": AT, "is_on": True} for key, total in of
    ]
    return pa.Table.from_pylist(records, schema=SCHEMA)


def digest(*of: tuple[str, str | None], table: str = "orders") -> Digest:
    return digest_of(rows(*of), table, "id")


def buckets(*keys: str) -> Sequence[int]:
    found: Sequence[int] = buckets_of(rows(*((key, None) for key in keys)), "id").tolist()
    return found


def test_a_digest_is_the_same_in_any_order_and_by_any_steps() -> None:
    a, b, c = ("a", "1"), ("b", None), ("c", "2.5")

    assert digest(a, b, c).differing(digest(c, a, b)) == []
    assert digest(a, b, c).differing(digest(a) + digest(c, b)) == []
    assert (digest(a, b, c) - digest(b)).differing(digest(a, c)) == []
    assert (Digest() + digest(a) - digest(a)).text == Digest().text


def test_the_bucket_of_a_record_that_differs_is_named() -> None:
    [of_a, of_b] = buckets("a", "b")
    before = digest(("a", "1"), ("b", "2"))

    assert of_a != of_b
    assert before.differing(digest(("a", "1"), ("b", "2.000000001"))) == [of_b]
    assert before.differing(digest(("a", None), ("b", "2"))) == [of_a]
    assert before.differing(digest(("b", "2"))) == [of_a]
    assert before.differing(digest(("a", "1"), ("b", "2"), table="items")) == sorted((of_a, of_b))


def test_values_that_two_records_of_a_bucket_exchange_are_told() -> None:
    first, *others = (f"{number}" for number in range(9 * BUCKETS))
    second = next(key for key in others if buckets(key) == buckets(first))

    assert digest((first, "1"), (second, "2")).differing(
        digest((first, "2"), (second, "1"))
    ) == buckets(first)


def test_a_column_that_came_later_and_is_empty_changes_nothing() -> None:
    wider = rows(("a", "1")).append_column("more", pa.nulls(1, pa.string()))

    assert digest_of(wider, "orders", "id").text == digest(("a", "1")).text


def test_a_digest_is_stored_as_text_that_the_next_release_can_read() -> None:
    """Warehouses and manifests have it: who changes how it is made changes its first letters."""
    made = digest(("a", "12.5"), ("b", None))

    text = made.text
    parts = {place: int(value) for place, value in enumerate(made.sums) if value}
    assert (text[:2], len(text), parts) == (
        *("1-", 346),
        {29: 4404336159138768502, 59: 17810360086933338742},
    )
    read = Digest.of(made.text)
    assert read is not None
    assert read.differing(made) == []


@pytest.mark.parametrize("text", [None, "", "2-AAAA"])
def test_what_was_made_otherwise_is_no_digest(text: str | None) -> None:
    assert Digest.of(text) is None
