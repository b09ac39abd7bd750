"""Shapes say which field goes where, and grow without ever changing what they said before."""

import pyarrow as pa
import pytest
from dlt.common.normalizers.naming.snake_case import NamingConvention
from hypothesis import given
from hypothesis import strategies as st

from wholesale.api.records import ColumnType
from wholesale.api.resources import RESOURCE, RESOURCES
from wholesale.json.strict import Json, parse
from wholesale.tables.shapes import (
    MAX_FOUND_COLUMNS,
    MAX_SPELLINGS,
    ColumnMapping,
    TableShape,
    arrow_schema,
    column_name,
    shape_of,
    type_of,
)

KEYLESS = TableShape("things", ())


def values(*texts: str) -> list[Json]:
    return [parse(text.encode()) for text in texts]


def test_the_raw_dataset_has_these_tables() -> None:
    assert [table.table for row in RESOURCES for table in shape_of(row).tables] == [
        "orders",
        "orders__order_line_items",
        "orders__order_comments",
        "vendors",
        "buyers",
        "buyer_users",
        "items",
        "items__options",
        "variants",
        "variants__options",
        "item_images",
        "price_lists",
        "prices",
        "brands",
        "categories",
        "custom_fields",
    ]


@pytest.mark.parametrize(
    ("resource", "schemas"),
    [
        (
            "items",
            {
                "items": "id! title description product_code sku upc status category_id vendor_id"
                " brand_id msrp:money unit_price:money map:money moq:int quantity_multiplier:int"
                " variants_count:int category_name vendor_name brand_name _extra _deleted_at:at",
                "items__options": "item_id! option_number:int! name values _extra",
            },
        ),
        (
            "variants",
            {
                "variants": "id! parent_id parent_title parent_product_code title description sku"
                " upc msrp:money unit_price:money map:money moq:int quantity_multiplier:int"
                " sku_status category_id vendor_id brand_id category_name vendor_name brand_name"
                " _extra _deleted_at:at",
                "variants__options": "variant_id! option_number:int! name value _extra",
            },
        ),
        ("prices", {"prices": "id! _extra _deleted_at:at"}),
        ("brands", {"brands": "id! title handle description logo _extra _deleted_at:at"}),
    ],
)
def test_the_tables_of_a_resource_have_these_columns_keys_and_types(
    resource: str, schemas: dict[str, str]
) -> None:
    found = {}
    names = {
        pa.string(): "",
        pa.decimal128(38, 9): ":money",
        pa.int64(): ":int",
        pa.bool_(): ":bool",
        pa.timestamp("us", "UTC"): ":at",
    }
    for table in shape_of(RESOURCE[resource]).tables:
        found[table.table] = " ".join(
            f"{column.name}{names[column.type]}{'' if column.nullable else '!'}"
            for column in table.schema
        )

    assert found == schemas


@pytest.mark.parametrize(
    ("field", "column"),
    [
        ("categoy_name", "categoy_name"),
        ("fooBar", "foo_bar"),
        ("Foo Bar", "foo_bar"),
        ("a--b__c", "a_b_c"),
        ("address1", "address1"),
        ("1st", "_1st"),
        ("_x_", "_x"),
        ("größe", "gr_e_d353a2"),
        ("grüße", "gr_e_8285d1"),
        ("discount %", "discount_2014f7"),
        ("discount $", "discount_3f2157"),
        ("цена", ""),
        ("价格1", ""),
        ("", ""),
        ("_", ""),
        ("a" * 58 + "_b", "a" * 58 + "_b"),
        ("a" * 61, "a" * 53 + "_35d5fc"),
        ("1" * 100, ""),
    ],
)
def test_a_field_is_named_in_snake_case_of_at_most_60_letters(field: str, column: str) -> None:
    assert column_name(field) == column


@given(
    st.one_of(st.text(max_size=90), st.from_regex(r"[a-zA-Z0-9_ +*@|$.-]{1,90}", fullmatch=True))
)
def test_dlt_leaves_our_column_names_alone(name: str) -> None:
    column = column_name(name)
    assert len(column) <= 60
    assert column_name(column) == column
    if column:
        assert NamingConvention().normalize_identifier(column) == column


@pytest.mark.parametrize(
    ("field", "texts", "type_"),
    [
        ("weight", ["1", "2.50", '"3"'], "decimal"),
        ("weight", ["1", '"heavy"'], "text"),
        ("weight", ["1e400"], "text"),
        ("code", ['"007"'], "text"),
        ("is_new", ["true", "false"], "boolean"),
        ("is_new", ["true", "1"], "json"),
        ("size", ["{}", "1"], "json"),
        ("tags", ['["a"]'], "json"),
        ("paid_at", ['"2024-01-02T03:04:05Z"'], "timestamp"),
        ("paid_at", ['"2024-01-02T03:04:05Z"', '"soon"'], "text"),
        ("paid", ['"2024-01-02T03:04:05Z"'], "text"),
        ("moq", ["3"], "integer"),
        ("moq", ["3.5"], "decimal"),
        ("moq", ["3", "4", '"few"'], "integer"),
        ("moq", ["3", '"few"'], "text"),
        ("unit_price", ["1.5", "[2]", "3"], "decimal"),
        ("place", [*['"a"'] * 9, "true"], "text"),
        ("place", [*['"a"'] * 8, "true"], "json"),
        ("weight", [*["1"] * 10, "{}"], "decimal"),
        ("zip", ["1234"], "text"),
        ("price", ['"1.50"'], "decimal"),
        ("amount", ["[1]"], "json"),
        ("created_at", ['"2024-01-02"'], "timestamp"),
        ("createdAt", ['"2024-01-02"'], "timestamp"),
        ("item_id", ["12"], "text"),
        ("variant_id", ["12"], "text"),
        ("variantId", ["12"], "text"),
        ("variant_id", ["{}"], "json"),
    ],
)
def test_type_of_an_unknown_field(field: str, texts: list[str], type_: ColumnType) -> None:
    assert type_of(field, values(*texts)) == type_


def test_a_field_gets_a_place_when_it_first_shows_a_value() -> None:
    untyped = KEYLESS.with_columns({"colour": [None]}, ())
    shown = untyped.with_columns({"colour": values("null", '"red"')}, ())

    assert (untyped.mappings, untyped.untyped_fields) == ((), frozenset({"colour"}))
    assert (shown.mappings, shown.untyped_fields) == (
        (ColumnMapping("colour", "colour", "text", None),),
        frozenset(),
    )


def test_of_two_fields_with_one_column_name_the_first_has_it() -> None:
    grown = KEYLESS.with_columns({"fooBar": values("1"), "foo_bar": values('"a"')}, ())

    assert grown.mappings == (
        ColumnMapping("fooBar", "foo_bar", "decimal", None, aliases=("foo_bar",)),
    )


def test_fields_that_lose_characters_have_columns_of_their_own() -> None:
    unknown = {"discount %": values("10"), "discount $": values("7.5")}
    names = [mapping.column for mapping in KEYLESS.with_columns(unknown, ()).mappings]

    assert names == [column_name("discount %"), column_name("discount $")]
    assert len({*names, column_name("discount")}) == 3


def test_a_thousand_unknown_fields_are_named_once_on_however_many_pages_they_come() -> None:
    column_name.cache_clear()
    unknown = {f"field{number}": values('"a"') for number in range(1_000)}
    grown = KEYLESS.with_columns(unknown, ())
    for _ in range(20):
        grown = grown.with_columns(unknown, ())

    assert len(grown.mappings) == MAX_FOUND_COLUMNS
    assert column_name.cache_info().misses == 1_000


@pytest.mark.parametrize(
    "field", ["_extra", "_deleted_at", "_removed", "_dlt_id", "_dlt_load_id", "цена", "", "a\ud800"]
)
def test_a_field_without_a_free_column_name_gets_no_place(field: str) -> None:
    grown = KEYLESS.with_columns({field: values('"a"')}, ())

    assert grown.mappings == ()


def test_a_name_that_arrow_cannot_hold_is_not_even_silent() -> None:
    assert KEYLESS.with_columns({"a\ud800": [None]}, ()).untyped_fields == frozenset()


def test_the_keys_of_a_child_table_are_taken() -> None:
    lines = shape_of(RESOURCE["orders"]).children[0]
    grown = lines.with_columns({"order_id": values('"a"'), "line_number": values("7")}, ())

    assert grown.mappings == lines.mappings


def test_a_map_cannot_explode_a_table() -> None:
    grown = KEYLESS.with_columns({f"k{n}": values("1") for n in range(MAX_FOUND_COLUMNS + 50)}, ())

    assert len(grown.mappings) == MAX_FOUND_COLUMNS


def test_a_thousand_spellings_of_one_field_cannot_explode_its_column() -> None:
    spelled = [f"{'_' * n}a" for n in range(1, 1_000)]
    names = [name.replace("a", "a_-b") for name in spelled]
    assert len({column_name(name) for name in names}) == 1

    (mapping,) = KEYLESS.with_columns({name: values("1") for name in names}, ()).mappings

    assert list(mapping.fields) == names[: 1 + MAX_SPELLINGS]


def test_what_earlier_runs_found_keeps_its_type() -> None:
    found: dict[str, dict[str, ColumnType]] = {
        "prices": {"id": "text", "amount": "decimal", "_extra": "json", "_deleted_at": "timestamp"},
        "orders": {"colour": "text"},
    }
    shape = shape_of(RESOURCE["prices"], found)

    assert [(mapping.column, mapping.type) for mapping in shape.mappings] == [
        ("id", "key"),
        ("amount", "decimal"),
    ]


def test_columns_that_dlt_adds_are_none_of_ours() -> None:
    found: dict[str, dict[str, ColumnType]] = {
        "prices": {"_dlt_load_id": "text", "_dlt_id": "text"},
        "items__options": {"item_id": "text", "option_number": "integer", "_removed": "boolean"},
    }

    for name in ("prices", "items"):
        assert shape_of(RESOURCE[name], found) == shape_of(RESOURCE[name])


def test_a_field_that_is_no_snake_case_finds_its_column_again_in_the_next_run() -> None:
    found: dict[str, dict[str, ColumnType]] = {"prices": {"foo_bar": "decimal"}}
    shape = shape_of(RESOURCE["prices"], found).with_columns(
        {"fooBar": values('"not a number"')}, ()
    )

    assert shape.mapping_of["fooBar"] == ColumnMapping("fooBar", "foo_bar", "decimal", None)
    assert len(shape.mappings) == 2


def test_growing_changes_no_place_that_was_there() -> None:
    shape = shape_of(RESOURCE["orders"])
    lines, comments = shape.children
    grown = shape.with_columns(
        {"colour": values('"red"')}, (lines, comments.with_columns({"body": values('"hi"')}, ()))
    )

    assert grown.mappings[: len(shape.mappings)] == shape.mappings
    assert grown.children[0] == lines
    assert grown.children[1].mappings == (ColumnMapping("body", "body", "text", None),)


def test_columns_are_stored_as_the_types_that_they_have() -> None:
    found = arrow_schema({"id": "text", "paid_at": "timestamp", "is_new": "boolean"})
    assert found == pa.schema(
        [("id", pa.string()), ("paid_at", pa.timestamp("us", "UTC")), ("is_new", pa.bool_())]
    )
