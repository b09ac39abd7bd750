"""The published DuckDB file explains itself to who has nothing but a connection to it."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from support.warehouses.desks import Desk
from support.warehouses.marts import Marts
from wholesale_elt.models.contract import read_contract
from wholesale_elt.publish.comparison import read_comparisons
from wholesale_elt.publish.description import COMPARED, described, meta
from wholesale_elt.publish.publisher import Published, publish_marts
from wholesale_elt.publish.tables import writing as publishing

PLAIN = {
    "brands": "wholesale_marts.dim_brands",
    "buyers": "wholesale_marts.dim_buyers",
    "categories": "wholesale_marts.dim_categories",
    "daily_sales": "wholesale_bi.rpt_daily_sales",
    "order_lines": "wholesale_marts.fct_order_lines",
    "late_buyers": "(from wholesale_bi.rpt_reorders where is_late)",
    "monthly_sales": "wholesale_bi.rpt_vendor_scorecard",
    "orders": "wholesale_marts.fct_orders",
    "products": "wholesale_bi.rpt_catalogue",
    "receivables": "(from wholesale_bi.rpt_receivables where is_open)",
    "sales_orders": "(from wholesale_marts.fct_orders where is_sale)",
    "vendors": "wholesale_marts.dim_vendors",
}
LATER = (
    "update wholesale_bi.rpt_freshness set complete_as_of = complete_as_of + interval 1 hour,"
    " built_at = built_at + interval 1 hour"
)
SILENT = """
    select 'table', schema_name, table_name, '' from duckdb_tables()
    where not internal and comment is null
    union all
    select 'view', schema_name, view_name, '' from duckdb_views()
    where not internal and comment is null
    union all
    select 'column', schema_name, table_name, column_name from duckdb_columns()
    where not internal and comment is null
"""


@pytest.fixture(scope="module")
def publication(
    built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory
) -> Published:
    """A version whose file is a copy of the last one with some tables replaced."""
    marts = built.copy(tmp_path_factory.mktemp("described"))
    folder = shutil.copytree(published, marts.database.parent / "published", symlinks=True)
    marts.change(LATER)
    return publish_marts(marts.warehouse, str(folder))


@pytest.fixture
def reader(publication: Published) -> Iterator[duckdb.DuckDBPyConnection]:
    path = Path(publication.place) / "wholesale.duckdb"
    with duckdb.connect(str(path), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        yield connection


def test_the_first_tables_that_one_sees_have_plain_names(
    reader: duckdb.DuckDBPyConnection,
) -> None:
    shown = [name for (name,) in reader.execute("show tables").fetchall()]
    added = [table for each in read_comparisons() for table in each.tables]
    assert shown == sorted([*PLAIN, *(table.name for table in (*COMPARED, *added))])


def test_every_table_view_and_column_has_a_comment(reader: duckdb.DuckDBPyConnection) -> None:
    assert reader.execute(SILENT).fetchall() == []
    contract = read_contract("marts", "bi")
    comments = reader.execute(
        "select table_name, column_name, comment from duckdb_columns()"
        " where schema_name like 'wholesale%'"
    ).fetchall()
    assert comments
    for table, column, comment in comments:
        assert comment == contract[table].columns[column].description


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_view_has_the_rows_of_its_table(
    reader: duckdb.DuckDBPyConnection, name: str
) -> None:
    source = PLAIN[name]
    differing = (
        f"(from main.{name} except all from {source})"
        f" union all (from {source} except all from main.{name})"
    )
    assert reader.execute(differing).fetchall() == []
    assert reader.execute(f"select count(*) > 0 from {name}").fetchall() == [(True,)]


def test_the_views_are_found_whatever_the_file_is_attached_as(publication: Published) -> None:
    path = Path(publication.place) / "wholesale.duckdb"
    with duckdb.connect() as connection:
        connection.execute(f"attach '{path}' as figures (read_only)")
        assert connection.execute(
            "select (select count(*) from figures.orders) = count(*) from figures.as_double.orders"
        ).fetchall() == [(True,)]


def test_views_for_tools_that_draw_have_floats_of_the_same_amounts(
    reader: duckdb.DuckDBPyConnection,
) -> None:
    decimals = reader.execute(
        "select schema_name, table_name, column_name from duckdb_columns()"
        " where schema_name in ('main', 'wholesale_bi', 'wholesale_marts')"
        " and data_type like 'DECIMAL%'"
    ).fetchall()
    assert len(decimals) > 100
    for schema, table, column in decimals:
        assert reader.execute(
            f"select typeof(any_value(floats.{column})) from as_double.{table} as floats"
        ).fetchall() == [("DOUBLE",)]
        assert (
            reader.execute(
                f"from (select {column}::double from {schema}.{table})"
                f" except all select {column} from as_double.{table}"
            ).fetchall()
            == []
        )


def test_every_relationship_that_is_told_of_joins(reader: duckdb.DuckDBPyConnection) -> None:
    told = reader.execute("from meta.relationships").fetchall()
    assert {row[0] for row in told} >= {"main", "wholesale_marts"}
    assert ("main", "categories", "parent_category_id", "main", "categories", "category_id") in told
    assert ("main", "orders", "buyer_id", "main", "buyers", "buyer_id") in told
    assert ("main", "order_lines", "order_id", "main", "orders", "order_id") in told
    for schema, table, column, parent_schema, parent, key in told:
        [(referring, found, keys, rows)] = reader.execute(
            f"select count(child.{column}), count(parent.{key}),"
            f" (select count(distinct {key}) from {parent_schema}.{parent}),"
            f" (select count(*) from {parent_schema}.{parent})"
            f" from {schema}.{table} as child"
            f" left join {parent_schema}.{parent} as parent on child.{column} = parent.{key}"
        ).fetchall()
        assert keys == rows
        assert (found > 0) == (referring > 0)


def test_every_metric_has_the_value_of_the_reports(reader: duckdb.DuckDBPyConnection) -> None:
    values = {
        name: reader.execute(f"select {expression} from {table}").fetchall()[0][0]
        for name, table, expression in reader.execute(
            "select metric_name, table_name, expression from meta.metrics"
        ).fetchall()
    }
    [headlines] = reader.execute(
        "select order_count, sales_amount, net_sales_amount, refunded_order_count, refunded_amount,"
        " billed_amount, discount_amount, fee_amount, unit_count, line_count, buyer_count"
        " from wholesale_bi.rpt_headlines"
    ).fetchall()
    names = (
        *("orders", "sales", "net_sales", "refunded_orders", "refunded_sales", "billed"),
        *("discounts", "fees", "units", "lines", "active_buyers"),
    )
    assert tuple(values[name] for name in names) == headlines
    assert values["average_order_value"] == pytest.approx(float(headlines[1]) / headlines[0])


def test_meta_has_what_the_catalogue_of_the_file_has(
    reader: duckdb.DuckDBPyConnection, publication: Published
) -> None:
    of_the_file = "database_name = current_database() and not internal"
    assert (
        reader.execute(
            "select schema_name, table_name, column_name, column_number, data_type, description"
            " from meta.columns except all select schema_name, table_name, column_name,"
            f" column_index, data_type, comment from duckdb_columns() where {of_the_file}"
        ).fetchall()
        == []
    )
    counted = f"select count(*) from duckdb_columns() where {of_the_file}"
    assert (
        reader.execute(counted).fetchall()
        == reader.execute("select count(*) from meta.columns").fetchall()
    )
    for schema, table, rows in reader.execute(
        "select schema_name, table_name, row_count from meta.tables"
        " where kind = 'table' and schema_name <> 'meta'"
    ).fetchall():
        assert reader.execute(f"select count(*) from {schema}.{table}").fetchall() == [(rows,)]
    assert reader.execute(
        "select key_columns from meta.tables where table_name = 'dim_buyer_users'"
    ).fetchall() == [(["buyer_user_id"],)]
    assert {
        name
        for (name,) in reader.execute(
            "select table_name from meta.tables where about = 'health'"
        ).fetchall()
    } == {
        *("rpt_freshness", "rpt_health_headlines", "rpt_quarantine", "rpt_reconciliation"),
        *("rpt_currencies", "rpt_set_aside", "rpt_sync_runs"),
    }


def test_meta_tells_of_the_version_and_the_settings(
    reader: duckdb.DuckDBPyConnection, publication: Published
) -> None:
    version = publication.in_force
    assert version
    [found] = reader.execute(
        "select run_id, verdict, reasons, strftime(as_of, '%Y-%m-%dT%H:%M:%S.%fZ'),"
        " strftime(built_at, '%Y-%m-%dT%H:%M:%S.%fZ'), currency, time_zone, software"
        " from meta.versions"
    ).fetchall()
    assert found == (
        *(version.run_id, version.verdict, list(version.reasons), version.as_of),
        *(version.built_at, version.currency, version.time_zone, version.software),
    )
    assert reader.execute(
        "select figures_up_to = (select figures_up_to from wholesale_bi.rpt_headlines)"
        " from meta.versions"
    ).fetchall() == [(True,)]
    assert ("time_zone", version.time_zone) in reader.execute(
        "select setting_name, setting_value from meta.settings"
    ).fetchall()


def test_what_an_older_release_told_with_other_columns_is_told_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    *others, versions, digests = meta.TABLES
    older = dict(list(versions.columns.items())[:-1])
    tables = [*others, replace(versions, columns=older), digests]
    with monkeypatch.context() as patch:
        patch.setattr(meta, "TABLES", tables)
        patch.setattr(described, "TABLES", tables)
        desk.build(1)
        desk.publish()
    monkeypatch.setattr(publishing, "MOST_CHANGED", 0)  # the file is a copy, then
    desk.build(2)
    desk.publish()
    with duckdb.connect(str(desk.folder / "wholesale.duckdb"), read_only=True) as connection:
        told = connection.execute("from meta.versions")
        assert [name for name, *_ in told.description] == list(versions.columns)
        assert len(told.fetchall()) == 1


def test_a_decimal_has_as_few_digits_as_lose_nothing(desk: Desk) -> None:
    desk.build(1)
    with duckdb.connect(str(desk.warehouse.database)) as connection:
        connection.execute(
            "create or replace table wholesale_marts.fct_orders as select 1 as number,"
            " cast(whole as decimal(38, 9)) as whole, cast(odd as decimal(38, 9)) as odd,"
            " cast(large as decimal(38, 9)) as large, cast(null as decimal(38, 9)) as none,"
            " cast(rate as decimal(38, 6)) as rate, cast('{}' as json) as json"
            " from (values (1, 0.0625, '12345678901234567890.5', 0.5),"
            " (null, -3, '0.000000001', null)) as t(whole, odd, large, rate)"
        )
    desk.publish()
    [path] = (desk.folder / "versions").glob("*/parquet/wholesale_marts/fct_orders.parquet")
    found = parquet.read_table(path)
    assert {field.name: field.type for field in found.schema if field.name != "number"} == {
        "whole": pa.decimal128(18, 2),
        "odd": pa.decimal128(18, 4),
        "large": pa.decimal128(38, 9),
        "none": pa.decimal128(18, 2),
        "rate": pa.decimal128(18, 6),
        "json": pa.string(),
    }
    assert found.select(["whole", "odd", "large", "rate", "json"]).to_pylist() == [
        {
            **{"whole": Decimal(1), "odd": Decimal("0.0625"), "rate": Decimal("0.5")},
            **{"large": Decimal("12345678901234567890.5"), "json": "{}"},
        },
        {
            **{"whole": None, "odd": Decimal(-3), "rate": None},
            **{"large": Decimal("0.000000001"), "json": "{}"},
        },
    ]
    with duckdb.connect(str(desk.folder / "wholesale.duckdb"), read_only=True) as connection:
        assert connection.execute(
            "select distinct typeof(whole), typeof(large), typeof(json) from orders"
        ).fetchall() == [("DECIMAL(18,2)", "DECIMAL(38,9)", "VARCHAR")]


def test_the_fields_of_a_parquet_file_are_described(publication: Published) -> None:
    version = publication.in_force
    assert version
    contract = read_contract("marts", "bi")
    for table in version.tables:
        schema = parquet.read_schema(Path(publication.place) / table.path)
        assert schema.metadata == {b"description": contract[table.table].description.encode()}
        for field in schema:
            meaning = contract[table.table].columns[field.name].description
            assert field.metadata == {b"description": meaning.encode()}
