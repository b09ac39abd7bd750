"""What only a summary tells is taken over into the full record, and nothing else is."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from support.records.lists import decoded
from support.records.samples import guid
from wholesale.api.resources import ORDER_SUMMARY, RESOURCE
from wholesale.compare.summaries import Summaries, found_columns, summary_shape, with_found
from wholesale.json.strict import NumberText
from wholesale.tables.decoded import Decoded
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


def test_a_guid_that_is_spelled_otherwise_in_full_is_filled() -> None:
    key = guid("b")

    assert filled(kept({"id": key, "vendor_name": "A"}), {"id": key.upper()}) == ["A"]


def test_a_column_that_is_added_is_kept_from_then_on() -> None:
    summaries = Summaries((), None)
    keep(summaries, {"id": "a", "vendor_name": "A"})
    summaries.add(["vendor_name", "vendor_name"])
    keep(summaries, {"id": "b", "vendor_name": "B"})

    assert filled(summaries, {"id": "a"}, {"id": "b"}) == [None, "B"]


def test_what_is_filled_in_is_masked_as_all_else_is() -> None:
    """Only the summary of an order may name its buyer, who is erased."""

    def mask(record: Decoded) -> Decoded:
        index = record.root.schema.get_field_index("vendor_name")
        hidden = pa.nulls(len(record.root), pa.string())
        root = record.root.set_column(index, record.root.schema.field(index), hidden)
        return replace(record, tables={**record.tables, record.shape.table: root})

    summaries = Summaries(("vendor_name",), None, mask)
    keep(summaries, {"id": "a", "vendor_name": "A"})

    assert filled(summaries, {"id": "a"}) == [None]


def test_what_was_kept_is_forgotten_before_the_list_is_read_once_more() -> None:
    summaries = kept({"id": "a", "vendor_name": "A"})

    summaries.begin()

    assert filled(summaries, {"id": "a"}) == [None]


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
