"""What only a summary tells is taken over into the full record, and nothing else is."""

from typing import Any

import numpy as np
import pytest

from support.records.lists import decoded
from support.records.samples import guid
from wholesale.api.resources import ORDER_SUMMARY, RESOURCE
from wholesale.compare.summaries import (
    LEAST_SHOWN_OTHERWISE,
    Summaries,
    found_columns,
    shown_otherwise,
    summary_shape,
    with_found,
)
from wholesale.json.strict import NumberText
from wholesale.tables.shapes import shape_of

SHAPE = shape_of(RESOURCE["orders"])


def filled(summaries: Summaries, *records: dict[str, Any]) -> list[Any]:
    """The names of the vendors in these records, once they are filled."""
    names: list[Any] = summaries.fill(decoded("orders", records)).root["vendor_name"].to_pylist()
    return names


def keep(summaries: Summaries, *records: dict[str, Any]) -> None:
    rows = decoded("orders", records).root
    summaries.keep(rows, np.ones(len(rows), np.bool_))


def kept(*records: dict[str, Any], columns: tuple[str, ...] = ("vendor_name",)) -> Summaries:
    summaries = Summaries(columns, "updated_at")
    keep(summaries, *records)
    return summaries


def test_a_column_that_no_full_record_has_is_filled_by_id() -> None:
    summaries = kept({"id": "a", "vendor_name": "A"}, {"id": "b", "vendor_name": "B"})

    assert filled(summaries, {"id": "b"}, {"id": "new"}, {"id": "a"}) == ["B", None, "A"]


def test_what_a_record_lacks_is_judged_a_record_at_a_time() -> None:
    summaries = kept({"id": "a", "vendor_name": "A"}, {"id": "b", "vendor_name": "B"})

    assert filled(summaries, {"id": "a", "vendor_name": "full"}, {"id": "b"}) == ["full", "B"]


def test_a_record_in_another_version_than_its_summary_is_not_filled() -> None:
    summaries = kept({"id": "a", "vendor_name": "A", "updated_at": "2024-01-01T00:00:00Z"})

    assert filled(summaries, {"id": "a", "updated_at": "2024-01-02T00:00:00Z"}) == [None]
    assert filled(summaries, {"id": "a", "updated_at": "2024-01-01T00:00:00Z"}) == ["A"]


def test_a_record_without_a_version_is_in_that_of_its_summary() -> None:
    at = "2024-01-01T00:00:00+00:00"
    summaries = kept({"id": "a", "vendor_name": "A", "updated_at": at})

    (row,) = summaries.fill(decoded("orders", [{"id": "a"}])).root.to_pylist()

    assert (row["vendor_name"], row["updated_at"].isoformat()) == ("A", at)


def test_the_newest_summary_of_a_record_counts() -> None:
    summaries = kept({"id": "a", "vendor_name": "old"})
    keep(summaries, {"id": "a", "vendor_name": "new"})

    assert filled(summaries, {"id": "a"}) == ["new"]


@pytest.mark.parametrize(
    ("short", "full", "name"),
    [
        ({"vendor_name": "A"}, {"vendor_name": "A"}, None),
        ({}, {}, None),
        ({"vendor_name": "A"}, {}, "B"),
    ],
)
def test_only_what_the_full_form_is_seen_to_lack_is_kept(
    short: dict[str, str], full: dict[str, str], name: str | None
) -> None:
    summaries = Summaries(("vendor_name",), "updated_at")
    summaries.compare(
        decoded("orders", [{"id": "a"} | short, {"id": "c", "vendor_name": "C"}]).root,
        decoded("orders", [{"id": "a"} | full]).root,
    )
    keep(summaries, {"id": "b", "vendor_name": "B"})

    assert filled(summaries, {"id": "b"}) == [name]


def test_what_pages_in_full_lack_is_seen_though_they_spell_ids_otherwise() -> None:
    summaries = Summaries(("vendor_name",), "updated_at")
    guid = "00000000-0000-4000-8000-00000000000b"

    summaries.compare(
        decoded("orders", [{"id": guid, "vendor_name": "A"}]).root,
        decoded("orders", [{"id": guid.upper().replace("-", "")}]).root,
    )
    keep(summaries, {"id": "b", "vendor_name": "B"})

    assert filled(summaries, {"id": "b"}) == ["B"]


def test_what_was_kept_is_forgotten_before_the_list_is_read_once_more() -> None:
    summaries = kept({"id": "a", "vendor_name": "A"})

    summaries.begin(is_all=False)

    assert filled(summaries, {"id": "a"}) == [None]


def test_everything_is_kept_again_once_some_bodies_were_found_to_lack_something() -> None:
    summaries = Summaries(("vendor_name",), "updated_at")
    both = decoded("orders", [{"id": "a", "vendor_name": "A"}]).root
    summaries.compare(both, both)

    summaries.begin(is_all=True)
    keep(summaries, {"id": "b", "vendor_name": "B"})

    assert filled(summaries, {"id": "b"}) == ["B"]


def test_a_shape_of_summaries_has_their_fields_and_what_was_found() -> None:
    grown = SHAPE.with_columns({"weight": [NumberText("1")]}, SHAPE.children)

    summary = summary_shape(grown, ORDER_SUMMARY)

    columns = {mapping.column for mapping in summary.mappings}
    assert columns == {*ORDER_SUMMARY, "weight"}
    assert summary.children == ()
    assert found_columns(summary) == ("weight",)


def test_what_is_found_in_summaries_alone_becomes_part_of_the_whole_shape() -> None:
    summary = summary_shape(SHAPE, ORDER_SUMMARY)
    seen = summary.with_columns({"weight": [NumberText("1")], "mood": [None]}, ())

    whole = with_found(SHAPE, seen)

    assert whole.mappings == (*SHAPE.mappings, seen.mapping_of["weight"])
    assert (whole.children, whole.untyped_fields) == (SHAPE.children, frozenset({"mood"}))


def test_of_a_resource_without_versions_every_summary_is_of_its_record() -> None:
    summaries = Summaries(("vendor_name",), None)
    keep(summaries, {"id": "a", "vendor_name": "A"})

    assert filled(summaries, {"id": "a"}) == ["A"]


def test_only_summaries_of_records_that_are_to_be_read_are_kept() -> None:
    summaries = Summaries(("vendor_name",), None)
    rows = decoded("orders", [{"id": key, "vendor_name": key} for key in "ab"]).root
    summaries.keep(rows, np.array([False, True]))

    assert filled(summaries, {"id": "a"}, {"id": "b"}) == [None, "b"]


MOMENT = {"updated_at": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize(
    ("short", "full", "otherwise"),
    [
        ({"status": "received"}, {"status": {"code": 1}}, {"status"}),
        ({"status": "received"}, {"status": None}, set()),
        ({"updated_at": 1767225600000}, MOMENT, {"updated_at"}),
        ({"updated_at": "2026-01-02T00:00:00Z", "status": "a"}, {"status": "b"}, set()),
        ({"total": 1250}, {"total": "12.50"}, {"total"}),
    ],
)
def test_a_column_is_shown_otherwise_by_the_records_that_say_something(
    short: dict[str, Any], full: dict[str, Any], otherwise: set[str]
) -> None:
    ids = [str(number) for number in range(LEAST_SHOWN_OTHERWISE)]
    zeros = [{"id": f"zero {id_}", "total": 0} for id_ in ids]
    listed, held = (
        decoded("orders", [*({"id": id_, **MOMENT, **row} for id_ in ids), *zeros]).root
        for row in (short, full)
    )

    assert shown_otherwise(listed, held, "updated_at") == otherwise


def test_a_found_column_that_is_text_in_short_and_a_number_in_full_is_shown_otherwise() -> None:
    ids = [str(number) for number in range(LEAST_SHOWN_OTHERWISE)]
    same = {"updated_at": "2026-01-01T00:00:00Z", "status": "received", "grade": 1}
    short, full = (
        decoded(
            "orders", [{"id": id_, **same, "weight": weight, "buyer_id": b} for id_ in ids]
        ).root
        for weight, b in (("12.5", guid("b")), (12.5, guid("b").upper()))
    )

    assert shown_otherwise(short, full, "updated_at") == {"weight"}
