"""Who reads whom: the rules of layers, each a question to the manifest that finds nothing."""

import re
from typing import Any

import pytest

from support.warehouses.manifest import layer, parents, sources_behind
from wholesale.api.resources import RESOURCE
from wholesale_elt.models.lineage import is_raw, read_lineage

pytestmark = pytest.mark.slow

LAYERS = ("staging", "intermediate", "history", "marts", "bi")
"""The folders of the models, each of which may look at itself and at those before it."""
TELL_OF_SYNCS = {"rpt_freshness", "rpt_sync_runs", "rpt_quarantine"}
READS_RAW_TABLES = "int_raw_checks"
"""Holds the marts against what came, not against what staging makes of it."""
OF_VERSIONS = {"stg_wholesale__order_versions", "stg_wholesale__order_line_versions"}
"""Each reads a raw table and its past."""
COMPARE_VERSIONS = {"int_order_versions", "int_changed_lines"}
ASK_WHEN_SYNCS_WERE = {"int_service_checks", "int_outlook_claims"}
MOST_PARENTS = 6


def test_layers_look_down_only(manifest: Any, models: list[Any]) -> None:
    upward = [
        (node.name, parent.name)
        for node in models
        for parent in parents(manifest, node)
        if LAYERS.index(layer(parent)) > LAYERS.index(layer(node))
    ]
    assert upward == []


def test_staging_reads_one_source_or_its_past_too_and_nothing_else_reads_any(
    models: list[Any],
) -> None:
    sources = {
        node.name: [name for name in node.depends_on.nodes if name.startswith("source.")]
        for node in models
        if node.name != READS_RAW_TABLES
    }
    with_past = [sources.pop(name) for name in OF_VERSIONS]
    assert all(past == f"{now}__past" for now, past in map(sorted, with_past))
    layers = {node.name: layer(node) for node in models}
    assert all(len(read) == (layers[name] == "staging") for name, read in sources.items())
    read = [source for found in sources.values() for source in found]
    assert len(read) == len(set(read)) == 23


def test_every_source_is_read_and_every_model_comes_from_one(
    manifest: Any, models: list[Any]
) -> None:
    read = {name for node in models for name in node.depends_on.nodes}
    assert set(manifest.sources) <= read
    assert [node.name for node in models if not sources_behind(manifest, node)] == ["dim_settings"]


def test_what_no_model_reads_is_for_people(models: list[Any]) -> None:
    read = {name for node in models for name in node.depends_on.nodes}
    ends = [node for node in models if node.unique_id not in read]
    inside = {node.name for node in ends if layer(node) not in ("marts", "bi")}
    assert inside == set()
    assert not [node.name for node in ends if node.path.startswith("bi/intermediate")]


def test_staging_never_reads_staging_and_reports_never_do(manifest: Any, models: list[Any]) -> None:
    readers = {
        node.name
        for node in models
        for parent in parents(manifest, node)
        if layer(node) in ("staging", "bi") and layer(parent) == "staging"
    }
    assert readers == TELL_OF_SYNCS | COMPARE_VERSIONS | ASK_WHEN_SYNCS_WERE


def test_marts_and_reports_are_public_and_pages_read_no_others(
    manifest: Any, models: list[Any]
) -> None:
    public = {node.unique_id for node in models if node.access == "public"}
    assert public == {
        node.unique_id for node in models if node.name.startswith(("dim_", "fct_", "rpt_"))
    }
    for exposure in manifest.exposures.values():
        assert set(exposure.depends_on.nodes) <= public
        assert {layer(manifest.nodes[name]) for name in exposure.depends_on.nodes} <= {
            *("bi", "marts"),
        }


def test_no_model_has_many_parents(manifest: Any, models: list[Any]) -> None:
    many = {node.name for node in models if len(list(parents(manifest, node))) > MOST_PARENTS}
    # Tasks have a parent for each of their kinds.
    assert many == {"fct_orders", "int_service_checks", "rpt_tasks"}


def test_no_model_names_a_table_that_dbt_does_not_know(models: list[Any]) -> None:
    for node in models:
        code = re.sub(
            r"\{#.*?#\}|distinct from|extract\([^()]*\bfrom\b", "", node.raw_code, flags=re.S
        )
        steps = set(re.findall(r"(\w+) as \(", code))
        named = set(re.findall(r"\b(?:from|join)\s+(?!\S*\{)([\w.\"]+)", code))
        assert named <= steps, node.name


def test_lineage_runs_from_the_fields_of_the_service_to_every_page(manifest: Any) -> None:
    behind = {
        exposure.name: {
            manifest.sources[source].name for source in sources_behind(manifest, exposure)
        }
        for exposure in manifest.exposures.values()
    }
    orders = {"orders", "orders__order_line_items", "orders__order_comments"}
    assert behind["dashboard_today"] >= orders | {"vendors", "buyers", "prices"}
    assert behind["dashboard_sales"] >= orders | {"vendors", "buyers", "items"}
    assert behind["dashboard_vendors"] >= orders | {"vendors"}
    assert behind["dashboard_buyers"] >= orders | {"buyers"}
    assert behind["dashboard_products"] >= orders | {"items", "variants", "prices"}
    assert behind["dashboard_fulfilment"] >= orders
    assert behind["dashboard_health"] >= set(RESOURCE) | {"sync_runs", "quarantine"}
    (sub_total,) = (
        source.columns["sub_total"]
        for source in manifest.sources.values()
        if source.name == "orders"
    )
    assert sub_total.description.endswith("(§2.4)")


def test_the_lineage_of_columns_is_of_this_sql(manifest: Any, models: list[Any]) -> None:
    lineage = read_lineage()
    columns = {
        f"{table}.{column}" for table, model in lineage.models.items() for column in model.columns
    }
    assert {name.rpartition(".")[0].partition(".")[2] for name in columns} == {
        node.name for node in models
    }
    read = {
        name
        for model in lineage.models.values()
        for column in model.columns.values()
        for name in column.inputs
    }
    assert {name for name in read if not is_raw(name)} <= columns
    raw = {source.name for source in manifest.sources.values()}
    assert {name.split(".")[1] for name in read if is_raw(name)} <= raw


def test_the_columns_behind_a_metric_are_those_of_its_sql() -> None:
    """Read by a person, from the report down to the fields of the service."""
    lineage = read_lineage()
    behind = {
        (table, column): {name for name in lineage.behind(table, column) if is_raw(name)}
        for table, column in (
            ("wholesale_marts.fct_orders", "sub_total"),
            ("wholesale_marts.fct_order_lines", "stated_variant_id"),
            ("wholesale_marts.dim_items", "minimum_advertised_price"),
            ("wholesale_bi.rpt_daily_sales", "average_order_value"),
            ("wholesale_bi.rpt_freshness", "complete_as_of"),
            ("wholesale_marts.dim_settings", "currency"),
        )
    }
    is_sale = {"wholesale_raw.orders.status", "wholesale_raw.orders._deleted_at"}
    assert list(behind.values()) == [
        {"wholesale_raw.orders.sub_total"},
        {"wholesale_raw.orders__order_line_items.variant_id"},
        {"wholesale_raw.items.map"},
        is_sale | {"wholesale_raw.orders.sub_total"},
        {"wholesale_raw.sync_runs.complete_as_of"},
        set(),
    ]
