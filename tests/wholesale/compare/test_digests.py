"""A digest tells in which part of a set of records anything differs, whatever their order."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from wholesale.compare.digests import BUCKETS, Digest, buckets_of, digest_of
from wholesale.compare.row_hashes import Hashes, hash_key
from wholesale.tables.shapes import INSTANT, MONEY

SCHEMA = pa.schema([("id", pa.string()), ("total", MONEY), ("at", INSTANT), ("is_on", pa.bool_())])
AT = datetime(2026, 5, 1, tzinfo=UTC)


def rows(*of: tuple[str, str | None]) -> pa.Table:
    records = [
        {"id": key, "total": total and Decimal(total), "at": AT, "is_on": True} for key, total in of
    ]
    return pa.Table.from_pylist(records, schema=SCHEMA)


def digest(*of: tuple[str, str | None], table: str = "orders") -> Digest:
    return digest_of(rows(*of), table, ["id"])


def hashed(*keys: str) -> Hashes:
    return hash_key(rows(*((key, None) for key in keys)), ["id"])


def named(before: Digest, after: Digest, *keys: str) -> list[str]:
    is_named = after.named(before, hashed(*keys))
    return [key for key, is_it in zip(keys, is_named, strict=True) if is_it]


def buckets(*keys: str) -> Sequence[int]:
    found: Sequence[int] = buckets_of(hashed(*keys)).tolist()
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


def test_the_one_record_of_a_bucket_that_differs_is_named_among_all() -> None:
    keys = [f"{number}" for number in range(40 * BUCKETS)]
    before = digest(*((key, "1") for key in keys))
    edited = digest(*((key, "2" if key in ("7", "8") else "1") for key in keys))
    added = digest(*((key, "1") for key in [*keys, "new"]))

    assert named(before, edited, *keys) == ["7", "8"]
    assert named(before, added, *keys, "new") == ["new"]
    assert named(added, before, *keys) == []
    assert named(before, before, *keys) == []


def test_of_several_records_of_a_bucket_that_differ_none_is_named() -> None:
    first, *others = (f"{number}" for number in range(9 * BUCKETS))
    second = next(key for key in others if buckets(key) == buckets(first))
    before, after = digest((first, "1"), (second, "2")), digest((first, "2"), (second, "1"))

    assert before.differing(after) == buckets(first)
    assert named(before, after, first, second, *others) == []


def test_a_key_is_the_same_by_whatever_name_and_a_part_of_it_may_be_missing() -> None:
    table = rows(("a", "1"), ("b", None))
    renamed = table.rename_columns(["order_id", "total", "at", "is_on"])

    assert hash_key(renamed, ["order_id"]).tolist() == hashed("a", "b").tolist()
    [of_both, of_one] = hash_key(table, ["id", "total"]).tolist()
    assert (of_both in hashed("a", "b"), of_one) == (False, hashed("b")[0])


def test_a_column_that_came_later_and_is_empty_changes_nothing() -> None:
    wider = rows(("a", "1")).append_column("more", pa.nulls(1, pa.string()))

    assert digest_of(wider, "orders", ["id"]).text == digest(("a", "1")).text


def test_a_digest_is_stored_as_text_that_the_next_release_can_read() -> None:
    """Warehouses and manifests have it: who changes how it is made changes its first letters."""
    made = digest(("a", "12.5"), ("b", None))

    text = made.text
    sums = made.sums.astype("<u4")
    parts = {(int(of), int(bucket)): int(sums[of, bucket]) for of, bucket in np.argwhere(sums)}
    assert (text[:2], len(text), parts) == (
        *("1-", 686),
        {(0, 10): 3212114550, (0, 28): 3437225590, (1, 10): 3198178924, (1, 28): 3889538594},
    )
    read = Digest.of(made.text)
    assert read is not None
    assert read.differing(made) == []


@pytest.mark.parametrize("text", [None, "", "nothing", "1-", "2-AAAA", "1-AAAA", "1-%%%"])
def test_what_was_made_otherwise_is_no_digest(text: str | None) -> None:
    assert Digest.of(text) is None
