"""Personal data: left out of what is published unless asked for, and then nobody else's to read."""

import stat
from pathlib import Path

import duckdb
import pytest

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from support.warehouses.marts import Marts
from wholesale.api import PERSONAL_FIELDS, RESOURCES
from wholesale.errors import ConfigurationError
from wholesale.tables.shapes import shape_of
from wholesale_elt.process.disk import make_private
from wholesale_elt.publish.publisher import Published, publish_marts
from wholesale_elt.warehouse.destination import Warehouse

MARK = "of one person alone"
PERSONAL = [
    *("dim_buyer_users.email", "dim_buyer_users.full_name"),
    *(f"dim_buyers.{name}" for name in ("address1", "address2", "company_ein", "email", "phone")),
    "dim_buyers.zip",
    *(f"dim_vendors.{name}" for name in ("address1", "address2", "email", "phone", "zip")),
    *("fct_order_comments.author", "fct_order_comments.body", "fct_orders.shipping_zip"),
]


def marked_columns(database: Path) -> list[str]:
    """Columns of a file in which a personal value stands, whatever they are called."""
    with duckdb.connect(str(database), read_only=True) as connection:
        columns = connection.execute(
            "select schema_name, table_name, column_name from duckdb_columns()"
            " where schema_name in ('wholesale_marts', 'wholesale_bi') and data_type = 'VARCHAR'"
            " order by all"
        ).fetchall()
        return [
            f"{table}.{column}"
            for schema, table, column in columns
            if connection.execute(
                f'select 1 from {schema}.{table} where contains("{column}", ?) limit 1', [MARK]
            ).fetchall()
        ]


@pytest.mark.slow
def test_no_value_of_a_personal_field_is_published_unless_it_is_asked_for(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = {
        (table, column)
        for table, column in marts.rows(
            "select table_name, column_name from duckdb_columns()"
            " where schema_name = 'wholesale_raw'"
        )
    }
    tables = {shape.table for resource in RESOURCES for shape in shape_of(resource).tables}
    marts.change(
        *(
            f"update wholesale_raw.{table} set {column} = '{column} {MARK}'"
            for table, column in sorted(there)
            if table in tables and column in PERSONAL_FIELDS
        ),
        # so that the build takes the orders for changed ones
        "update wholesale_raw.orders set updated_at = updated_at + interval 1 second",
    )
    marts.build()
    folder = tmp_path / "published"

    published = publish_marts(marts.warehouse, str(folder))
    assert published.left_out == PERSONAL
    assert marked_columns(folder / "wholesale.duckdb") == []
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix != ".duckdb":
            assert MARK.encode() not in path.read_bytes(), path

    monkeypatch.setenv("PRIVACY__PUBLISHED", "all")
    assert publish_marts(marts.warehouse, str(folder)).left_out == []
    assert marked_columns(folder / "wholesale.duckdb") == PERSONAL


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    """A mart with an e-mail address in each row."""
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 1)
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute(
            "alter table wholesale_marts.fct_orders add column email varchar default 'a@example'"
        )
    return warehouse


def publish(warehouse: Warehouse) -> Published:
    return publish_marts(warehouse, str(warehouse.database.parent / "published"))


def open_to_others(folder: Path) -> set[str]:
    """What others than the user may read."""
    return {
        path.name
        for path in folder.rglob("*")
        if path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)
    }


@pytest.mark.parametrize(
    ("setting", "left_out"),
    [
        (None, ["fct_orders.email"]),
        ("none", ["fct_orders.email"]),
        ("[]", ["fct_orders.email"]),
        ("all", []),
        ('["fct_orders.email"]', []),
    ],
)
def test_the_setting_says_what_may_be_published(
    warehouse: Warehouse,
    setting: str | None,
    left_out: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if setting is not None:
        monkeypatch.setenv("PRIVACY__PUBLISHED", setting)
    published = publish(warehouse)
    assert published.in_force
    assert (published.left_out, published.in_force.personal) == (
        left_out,
        [name for name in ["fct_orders.email"] if name not in left_out],
    )


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("some, x", "names some, which is no personal column .*: there are fct_orders.email$"),
        ("[some", "is '\\[some': set it to none, all, or a list of columns"),
        ("[1]", "is \\[1\\]: set it to none, all, or a list of columns"),
        ('["fct_orders.emial"]', "names fct_orders.emial, .*: did you mean fct_orders.email$"),
        ('["x"]', "names x, which is no personal column .*: there are fct_orders.email$"),
    ],
)
def test_a_setting_that_says_something_else_is_refused(
    warehouse: Warehouse, setting: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIVACY__PUBLISHED", setting)
    with pytest.raises(ConfigurationError, match=f"setting privacy.published.* {message}"):
        publish(warehouse)


def test_a_version_with_personal_data_is_nobody_elses_to_read_and_one_without_is(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = warehouse.database.parent / "published"
    monkeypatch.setenv("PRIVACY__PUBLISHED", "all")
    publish(warehouse)
    names = {"published", "dashboard", "versions"}
    assert open_to_others(folder) <= names

    monkeypatch.setenv("PRIVACY__PUBLISHED", "none")
    version = publish(warehouse).in_force
    assert version
    assert {"wholesale.duckdb", "index.html", "current.json", version.version} <= open_to_others(
        folder
    )
    assert stat.S_IMODE((folder / version.database.path).stat().st_mode) == 0o444


@pytest.mark.slow
def test_files_that_were_open_to_others_are_closed_to_them(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "file").touch(0o644)
    make_private(tmp_path / "none", tmp_path, tmp_path / "file")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path, tmp_path / "file")] == [
        *(0o700, 0o600)
    ]
