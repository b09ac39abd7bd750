"""What only a summary tells is taken over into the full record, and nothing else is."""

from typing import Any

from support.lists import decoded
from wholesale.api.resources import ORDER_SUMMARY, RESOURCE
from wholesale.compare.summaries import Summaries, found_columns, summary_shape, with_found
from wholesale.pages.strict_json import NumberText
from wholesale.tables.shapes import shape_of

SHAPE = shape_of(RESOURCE["orders"])


def filled(summaries: Summaries, *records: dict[str, Any]) -> list[Any]:
    """The names of the vendors in these records, once they are filled."""
    names: list[Any] = summaries.fill(decoded("orders", records)).root["vendor_name"].to_pylist()
    return names


def kept(*records: dict[str, Any], columns: tuple[str, ...] = ("vendor_name",)) -> Summaries:
    summaries = Summaries(columns)
    summaries.keep(decoded("orders", records).root)
    return summaries


def test_a_column_that_no_full_record_has_is_filled_by_id() -> None:
    summaries = kept({"id": "a", "vendor_name": "A"}, {"id": "b", "vendor_name": "B"})

    assert filled(summaries, {"id": "b"}, {"id": "new"}, {"id": "a"}) == ["B", None, "A"]


def test_a_column_that_a_full_record_has_is_left_as_it_is() -> None:
    summaries = kept({"id": "a", "vendor_name": "A"}, {"id": "b", "vendor_name": "B"})

    assert filled(summaries, {"id": "a", "vendor_name": "full"}, {"id": "b"}) == ["full", None]


def test_the_newest_summary_of_a_record_counts() -> None:
    summaries = kept({"id": "a", "vendor_name": "old"})
    summaries.keep(decoded("orders", [{"id": "a", "vendor_name": "new"}]).root)

    assert filled(summaries, {"id": "a"}) == ["new"]


def test_what_the_full_form_is_seen_to_have_is_not_kept() -> None:
    summaries = Summaries(("vendor_name",))
    summaries.compare_with(decoded("orders", [{"id": "a", "vendor_name": "full"}]).root)
    summaries.keep(decoded("orders", [{"id": "b", "vendor_name": "B"}]).root)

    assert filled(summaries, {"id": "b"}) == [None]


def test_what_was_kept_is_forgotten_before_the_list_is_read_once_more() -> None:
    summaries = kept({"id": "a", "vendor_name": "A"})

    summaries.clear()

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
