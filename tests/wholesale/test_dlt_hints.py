"""What dlt is told of our tables: a dlt resource for each of ours, exact types, right keys."""

import json
import subprocess
import sys
from typing import Any

import pytest

from wholesale.api.resources import RESOURCE, RESOURCES
from wholesale.dlt_hints import Loading, marked, marked_quarantine
from wholesale.errors import ConfigurationError
from wholesale.json.page import RawPage
from wholesale.source import wholesale_source
from wholesale.stored_columns import stored_columns
from wholesale.sync.run import new_run_id
from wholesale.tables.decoded import Quarantined, empty
from wholesale.tables.decoder import decode
from wholesale.tables.shapes import shape_of

BASE = "http://127.0.0.1:1/api/external/v1"


def tables_of(items: Any) -> dict[str, dict[str, Any]]:
    """The dlt table schema that each marked item asks for."""
    return {
        item.meta.hints["table_name"]: dict(item.meta.hints) | {"rows": item.data} for item in items
    }


def columns(hints: dict[str, Any]) -> dict[str, str]:
    found = {}
    for name, column in hints["columns"].items():
        scale = f"({column['precision']},{column['scale']})" if "scale" in column else ""
        hard = " hard_delete" if column.get("hard_delete") else ""
        null = "" if column.get("nullable", True) else "!"
        found[name] = f"{column['data_type']}{scale}{null}{hard}"
    return found


def test_the_source_has_each_of_our_resources_as_one_of_dlt() -> None:
    source = wholesale_source(base_url=BASE, api_key="k")

    assert list(source.resources) == [row.name for row in RESOURCES]
    assert source.name == "wholesale"


def test_a_setting_that_cannot_be_right_fails_before_anything_runs() -> None:
    with pytest.raises(ConfigurationError, match=r"^setting base_url must end with"):
        wholesale_source(base_url="http://127.0.0.1:1/", api_key="k")


def test_run_ids_sort_by_time() -> None:
    first, second = new_run_id(), new_run_id()

    assert first <= second
    assert len(first) == len("20240102T030405.123456Z")


def test_a_family_is_merged_by_id_and_children_with_their_parent() -> None:
    found = tables_of(marked(empty(shape_of(RESOURCE["orders"])), Loading()))

    assert {name: (h.get("primary_key"), h.get("merge_key")) for name, h in found.items()} == {
        "orders": ("id", None),
        "orders__order_line_items": (None, "order_id"),
        "orders__order_comments": (None, "order_id"),
    }
    assert {h["write_disposition"]["disposition"] for h in found.values()} == {"merge"}


def test_columns_have_exact_types() -> None:
    items = tables_of(marked(empty(shape_of(RESOURCE["items"])), Loading()))
    vendors = tables_of(marked(empty(shape_of(RESOURCE["vendors"])), Loading()))["vendors"]

    assert columns(items["items"]) == {
        "id": "text!",
        **dict.fromkeys(("title", "description", "product_code", "sku", "upc", "status"), "text"),
        **dict.fromkeys(("category_id", "vendor_id", "brand_id"), "text"),
        **dict.fromkeys(("msrp", "unit_price", "map"), "decimal(38,9)"),
        **dict.fromkeys(("moq", "quantity_multiplier", "variants_count"), "bigint"),
        **dict.fromkeys(("category_name", "vendor_name", "brand_name"), "text"),
        "_extra": "json",
        "_deleted_at": "timestamp",
    }
    assert columns(items["items__options"]) == {
        "item_id": "text!",
        "option_number": "bigint!",
        "name": "text",
        "values": "json",
        "_extra": "json",
        "_removed": "bool hard_delete",
    }
    assert vendors["columns"]["shipping_scheme"]["data_type"] == "json"
    assert vendors["columns"]["updated_at"]["precision"] == 6


def test_dlt_is_told_of_parents_without_entries_so_that_it_removes_the_old_ones() -> None:
    records = [{"id": "a"}, {"id": "b", "options": [{"name": "Size"}]}, {"id": "c", "options": []}]
    decoded = decode([RawPage(json.dumps(records).encode())], shape_of(RESOURCE["items"]))

    rows = tables_of(marked(decoded, Loading()))["items__options"]["rows"]

    assert rows.select(["item_id", "option_number", "name", "_removed"]).to_pylist() == [
        {"item_id": "b", "option_number": 1, "name": "Size", "_removed": None},
        {"item_id": "a", "option_number": 0, "name": None, "_removed": True},
        {"item_id": "c", "option_number": 0, "name": None, "_removed": True},
    ]


def test_descriptions_say_where_a_column_comes_from() -> None:
    records = json.dumps([{"id": "a", "colour": "red"}]).encode()
    decoded = decode([RawPage(records)], shape_of(RESOURCE["vendors"]))

    found = tables_of(marked(decoded, Loading()))["vendors"]["columns"]

    assert found["zip"]["description"] == (
        "Sent as a number in the sample, so leading zeros may be lost before we see it. (§2.7)"
    )
    assert found["colour"]["description"] == "(not in the API description)"


def test_what_dlt_stored_comes_back_as_the_shape_it_was() -> None:
    records = b"""[{"id": "a", "colour": "red", "weight": 1.5, "is_new": true, "tags": [],
        "paid_at": "2024-01-02T03:04:05Z", "moq": 3}]"""
    grown = decode([RawPage(records)], shape_of(RESOURCE["prices"])).shape
    hints = tables_of(marked(empty(grown), Loading()))["prices"]["columns"]
    stored = {"prices": {"columns": hints}, "_dlt_loads": {"columns": hints}}

    again = shape_of(RESOURCE["prices"], stored_columns(stored))

    assert {mapping.column: mapping.type for mapping in again.mappings} == {
        "id": "key",
        "colour": "text",
        "weight": "decimal",
        "is_new": "boolean",
        "tags": "json",
        "paid_at": "timestamp",
        "moq": "integer",
    }
    assert again.schema == grown.schema


def test_quarantined_records_are_rows_of_their_own_table() -> None:
    one = Quarantined(3, 7, "has no id", '{"name":"nobody"}')

    found = tables_of([marked_quarantine([one], "vendors", "run-1", Loading())])["quarantine"]

    (row,) = found["rows"].to_pylist()
    assert row.pop("found_at").utcoffset().total_seconds() == 0
    assert row == {
        "run_id": "run-1",
        "resource": "vendors",
        "page": 3,
        "index": 7,
        "reason": "has no id",
        "body": '{"name":"nobody"}',
    }
    assert found["write_disposition"] == "append"
    assert columns(found)["body"] == "json"


def test_importing_the_package_loads_no_dlt_and_switches_its_telemetry_off() -> None:
    script = (
        "import os, sys, wholesale;"
        "print('dlt' in sys.modules, os.environ['RUNTIME__DLTHUB_TELEMETRY']);"
        "wholesale.wholesale_source;"
        "print('dlt' in sys.modules)"
    )

    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert found.stdout.split() == ["False", "false", "True"]


def test_the_package_has_no_other_names() -> None:
    import wholesale

    with pytest.raises(AttributeError, match="module 'wholesale' has no attribute 'nothing'"):
        wholesale.nothing  # type: ignore[attr-defined]  # noqa: B018
