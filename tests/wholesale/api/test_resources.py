"""The registry of readable resources is whole, and every § that a registry cites exists."""

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest

from support.paths import DESCRIPTION
from wholesale.api.assumptions import ASSUMPTIONS
from wholesale.api.endpoints import ENDPOINT, ENDPOINTS, Endpoint
from wholesale.api.facts import Fact
from wholesale.api.records import RECORDS, RawColumn
from wholesale.api.resources import ORDER_SUMMARY, RESOURCE, RESOURCES, Parent, Resource
from wholesale.tables.shapes import shape_of


def test_the_twelve_resources_and_where_each_is_read() -> None:
    found = {}
    for row in RESOURCES:
        single = ENDPOINT[row.get_endpoint].path if row.get_endpoint else None
        found[row.name] = (ENDPOINT[row.list_endpoint].path, single)

    assert found == {
        "orders": ("/orders", "/orders/{orderId}"),
        "vendors": ("/vendors", "/vendors/{vendorId}"),
        "buyers": ("/buyers", "/buyers/{buyerId}"),
        "buyer_users": (
            "/buyers/{buyerId}/buyer_users",
            "/buyers/{buyerId}/buyer_users/{buyerUserId}",
        ),
        "items": ("/items", "/items/{itemId}"),
        "variants": ("/items/{itemId}/variants", "/items/{itemId}/variants/{variantId}"),
        "item_images": ("/item_images", "/item_images/{itemImageId}"),
        "price_lists": ("/price_lists", "/price_lists/{priceListId}"),
        "prices": ("/prices", "/prices/{priceId}"),
        "brands": ("/brands", "/brands/{brandId}"),
        "categories": ("/categories", None),
        "custom_fields": ("/custom_fields", None),
    }


def test_every_kind_is_read_with_get() -> None:
    names = {row.list_endpoint for row in RESOURCES} | {row.get_endpoint for row in RESOURCES}

    assert {ENDPOINT[name].method for name in names if name} == {"GET"}


def test_kinds_with_a_list_a_parent() -> None:
    assert {row.name: row.parent for row in RESOURCES if row.parent} == {
        "buyer_users": Parent("buyers", "buyer_id"),
        "variants": Parent("items", "parent_id", "variants_count"),
    }
    for row in RESOURCES:
        if row.parent:
            assert len(ENDPOINT[row.list_endpoint].parameters) == 1
            assert row.parent.column in shape_of(row).schema.names
        else:
            assert "{" not in ENDPOINT[row.list_endpoint].path


def test_versions_are_fields_of_the_record() -> None:
    versions = {row.name: row.version.value for row in RESOURCES if row.version.value}

    assert versions == dict.fromkeys(("orders", "vendors", "buyers", "buyer_users"), "updated_at")
    assert all("updated_at" in shape_of(RESOURCE[name]).mapping_of for name in versions)


def test_orders_alone_have_a_cheap_form_of_their_list() -> None:
    cheap = {row.name: (row.summary, row.summary_query) for row in RESOURCES if row.summary}

    assert cheap == {"orders": (ORDER_SUMMARY, (("verbose", "false"),))}
    assert {row.name: row.query for row in RESOURCES if row.query} == {
        "orders": (("verbose", "true"),)
    }
    assert (
        {"id", "updated_at"} <= set(ORDER_SUMMARY) <= set(shape_of(RESOURCE["orders"]).mapping_of)
    )
    for row in RESOURCES:
        assert set(row.summary_only) <= set(row.summary) - {"id", row.version.value}
        assert {name for name, _ in row.summary_query} <= set(ENDPOINT[row.list_endpoint].query)
        single = ENDPOINT[row.get_endpoint].query if row.get_endpoint else ()
        assert {name for name, _ in row.query} <= set(single)


@pytest.mark.skipif(not DESCRIPTION.exists(), reason="the API description is not at hand")
def test_the_cheap_form_has_the_fields_that_the_description_shows() -> None:
    chapter = DESCRIPTION.read_text().split("Order summary (entries of the order list):")[1]
    table = chapter.split("Single order")[0]

    assert tuple(re.findall(r"^\| (\w+) \|", table, re.MULTILINE)[1:]) == ORDER_SUMMARY


def test_only_what_the_description_says_is_called_documented() -> None:
    paged = {row.name for row in RESOURCES if row.is_paged.is_documented}

    assert paged == {"orders", "vendors", "brands"}
    for row in RESOURCES:
        is_paged = "page" in ENDPOINT[row.list_endpoint].query
        assert is_paged == row.is_paged.is_documented


def test_every_resource_is_found_by_its_one_name_and_has_a_record_of_its_own() -> None:
    assert list(RESOURCE.values()) == list(RESOURCES)
    assert [row.record for row in RESOURCES] == list(RECORDS)


def cited() -> Iterator[tuple[str, str]]:
    """Every § that a registry cites, with where it does."""
    rows: list[Endpoint | Resource] = [*ENDPOINTS, *RESOURCES]
    for row in rows:
        yield row.name, row.section
        for part in fields(row):
            fact = getattr(row, part.name)
            if isinstance(fact, Fact):
                yield f"{row.name}.{part.name}", fact.section
    for resource in RESOURCES:
        for table in shape_of(resource).tables:
            for mapping in table.mappings:
                yield f"{table.table}.{mapping.column}", mapping.section or "none"
    for assumption in ASSUMPTIONS:
        yield assumption.name, assumption.section


@pytest.mark.skipif(not DESCRIPTION.exists(), reason="the API description is not at hand")
def test_every_section_that_is_cited_exists() -> None:
    headings = set(
        re.findall(r"^#{2,3} (\d+(?:\.\d+)?)\.? ", DESCRIPTION.read_text(), re.MULTILINE)
    )

    assert len(headings) > 25
    assert [(where, section) for where, section in cited() if section not in headings] == []


def test_a_column_of_another_section_than_its_record_says_so() -> None:
    marks = {
        (name, field): mark.section
        for name, record in RECORDS.items()
        for field, info in record.model_fields.items()
        for mark in info.metadata
        if isinstance(mark, RawColumn) and mark.section
    }

    assert marks == {
        ("BuyerUser", "buyer_id"): "4.12",
        ("Brand", "title"): "4.12",
        ("Brand", "handle"): "4.12",
        ("Brand", "description"): "4.12",
        ("Brand", "logo"): "4.12",
    }
