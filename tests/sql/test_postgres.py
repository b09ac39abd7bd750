"""The same project on a real PostgreSQL server gives the same rows."""

from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sql.changes import CHANGES
from support.services import postgres
from support.warehouses.marts import OF_THE_MOMENT, Marts
from wholesale_elt.models.build import build_models
from wholesale_elt.models.contract import read_contract
from wholesale_elt.models.running import BuildFailed
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.ports import postgres_server

pytestmark = pytest.mark.slow

JSON = {"shipping_scheme", "order_shipping_days", "option_values"}
"""Text in one driver, objects in the other; taken over as they are, computed with nowhere."""


def plain(value: Any) -> Any:
    """Without trailing zeros, which an engine may or may not keep."""
    return value.normalize() if isinstance(value, Decimal) else value


def contents(cursor: Any, marts: Marts) -> dict[str, list[tuple[Any, ...]]]:
    found = {}
    for table, columns in marts.columns().items():
        names = [name for name in columns if name not in OF_THE_MOMENT | JSON]
        cursor.execute(f"select {', '.join(names)} from {table}")
        found[table] = in_order([tuple(map(plain, row)) for row in cursor.fetchall()])
    return found


def unexplained(cursor: Any) -> list[tuple[Any, ...]]:
    """The tables, views and columns without a comment."""
    cursor.execute(
        "select nspname, relname, attname from pg_class"
        " inner join pg_namespace on pg_namespace.oid = relnamespace"
        " left join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped"
        " where relkind in ('r', 'v') and nspname in ('wholesale_marts', 'wholesale_bi',"
        " 'wholesale_staging', 'wholesale_history')"
        " and (obj_description(pg_class.oid) is null or col_description(attrelid, attnum) is null)"
    )
    return list(cursor.fetchall())


def keys(cursor: Any) -> dict[str, list[str]]:
    """The columns of each primary key."""
    cursor.execute(
        "select table_schema || '.' || table_name, array_agg(column_name::text order by"
        " ordinal_position) from information_schema.table_constraints"
        " inner join information_schema.key_column_usage"
        " using (constraint_schema, constraint_name, table_schema, table_name)"
        " where constraint_type = 'PRIMARY KEY' and table_schema like 'wholesale%' group by 1"
    )
    return dict(cursor.fetchall())


def indexed(cursor: Any) -> set[tuple[str, str]]:
    """The columns that an index begins with, by table."""
    cursor.execute(
        "select relname, attname from pg_index inner join pg_class on pg_class.oid = indrelid"
        " inner join pg_attribute on attrelid = indrelid and attnum = indkey[0]"
    )
    return set(cursor.fetchall())


def in_order(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=lambda row: [str(value) for value in row])


def expected(marts: Marts) -> dict[str, list[tuple[Any, ...]]]:
    return {
        table: in_order([tuple(map(plain, row)) for row in rows])
        for table, rows in marts.contents(*JSON).items()
    }


def test_the_same_rows_come_from_postgresql_at_first_and_after_a_change(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with postgres.serving(monkeypatch) as socket:
        postgres.copy_raw(marts.database, socket)
        monkeypatch.setenv(
            "DESTINATION__POSTGRES__CREDENTIALS",
            f"postgresql://postgres:unused@localhost/postgres?host={socket}",
        )
        warehouse = Warehouse(Path(), "postgres")
        with closing(postgres.connect(socket)) as connection, connection.cursor() as cursor:
            cursor.execute("set timezone = 'UTC'")
            assert build_models(warehouse).warnings == []
            assert contents(cursor, marts) == expected(marts)
            assert unexplained(cursor) == []
            assert keys(cursor) == {
                f"{table.schema}.{table.name}": list(table.key)
                for table in read_contract("marts", "bi").values()
                if table.key
            }
            assert {
                ("fct_orders", "buyer_id"),
                ("fct_orders", "updated_at"),
                ("fct_order_lines", "order_id"),
                ("fct_order_lines", "item_id"),
            } <= indexed(cursor)

            # A view that somebody built on a report stays, for its columns stay.
            cursor.execute(
                "create view mine as select sales_amount from wholesale_bi.rpt_headlines"
            )
            marts.change(*CHANGES)
            cursor.execute("drop schema wholesale_raw cascade")
            postgres.copy_raw(marts.database, socket)
            cursor.execute(
                "insert into wholesale_raw.orders select * from wholesale_raw.orders limit 1"
            )
            before = contents(cursor, marts)
            with pytest.raises(BuildFailed):
                build_models(warehouse)
            assert contents(cursor, marts) == before
            cursor.execute(
                "delete from wholesale_raw.orders where ctid in ("
                " select max(ctid) from wholesale_raw.orders group by id having count(*) > 1)"
            )
            marts.build()
            build_models(warehouse)
            assert contents(cursor, marts) == expected(marts)

            for change in (
                "update wholesale_raw.orders set sub_total = sub_total + 2, status = 'shipped'"
                " where id in (select max(id) from wholesale_raw.orders)",
                "update wholesale_raw.vendors set name = 'Another' where id in"
                " (select min(id) from wholesale_raw.vendors)",
            ):
                marts.change(change)
                cursor.execute(change)
            marts.build()
            build_models(warehouse)
            assert contents(cursor, marts) == expected(marts)
            cursor.execute("select * from mine")
            assert cursor.fetchall() == marts.rows(
                "select sales_amount from wholesale_bi.rpt_headlines"
            )


def test_a_build_waits_for_no_reader_of_what_is_as_before_and_for_no_other_for_ever(
    loaded: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with postgres.serving(monkeypatch) as socket:
        postgres.copy_raw(loaded.database, socket)
        credentials = f"postgresql://postgres:unused@localhost/postgres?host={socket}"
        monkeypatch.setenv("DESTINATION__POSTGRES__CREDENTIALS", credentials)
        warehouse = Warehouse(Path(), "postgres")
        with closing(postgres.connect(socket)) as reader, reader.cursor() as cursor:
            cursor.execute("alter table wholesale_raw.orders rename po_number to unknown")
            build_models(warehouse)
            monkeypatch.setitem(postgres_server.UNLESS_ASKED, "lock_timeout", "1s")
            cursor.execute("begin; select count(*) from wholesale_staging.stg_wholesale__orders")
            cursor.execute("select count(*) from wholesale_marts.fct_orders")
            assert build_models(warehouse, is_full=True).models
            cursor.execute("commit; alter table wholesale_raw.orders add po_number text")
            cursor.execute("begin; select count(*) from wholesale_staging.stg_wholesale__orders")
            with pytest.raises(BuildFailed, match="waited for a table"):
                build_models(warehouse)
            cursor.execute("commit")
        assert build_models(warehouse).models


STAGING = {
    f"wholesale_staging.stg_wholesale__{name}": columns
    for name, columns in (
        ("item_images", "item_image_id, image_position, created_at"),
        ("prices", "price_id, unit_price"),
    )
}


def test_values_of_another_type_than_assumed_are_read_in_postgresql_as_in_duckdb(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    images, prices = "wholesale_raw.item_images", "wholesale_raw.prices"
    marts.change(
        f"alter table {images} alter position type decimal(38, 9)",
        f"update {images} set position = position + 0.5 where position = 2",
        f"alter table {images} alter created_at type varchar",
        *odd_values(
            images, "created_at", "now", "01/02/2026", "2026-02-30", "2026-03-04T05:06:07Z"
        ),
        *odd_values(
            images,
            "created_at",
            *("2024-01-05T10:00Z", "2024-01-05 10:00:00 PST", "2024-01-05T10:00:60Z"),
            *("2024-01-05T10:00:00.1234567Z", "2024-01-05T24:00:00Z", "2024-01-05 10:00:00+05:30"),
            after=5,
        ),
        f"alter table {prices} alter unit_price type varchar",
        *odd_values(prices, "unit_price", "NaN", "1e3", "1,5", " 5 ", "inf", "1e30", "", ".5"),
        *odd_values(
            prices, "unit_price", "1_000", "0x10", "\t5", "5\n", "\u00a05", "-.5e1", after=8
        ),
    )
    with postgres.serving(monkeypatch) as socket:
        postgres.copy_raw(marts.database, socket)
        monkeypatch.setenv(
            "DESTINATION__POSTGRES__CREDENTIALS", f"postgresql://postgres@/postgres?host={socket}"
        )
        marts.build()
        build_models(Warehouse(Path(), "postgres"))
        with closing(postgres.connect(socket)) as connection, connection.cursor() as cursor:
            cursor.execute("set timezone = 'UTC'")
            for view, columns in STAGING.items():
                query = f"select {columns} from {view} order by 1"
                cursor.execute(query)
                assert cursor.fetchall() == marts.rows(query)
            assert contents(cursor, marts) == expected(marts)


def odd_values(table: str, column: str, *values: str, after: int = 0) -> list[str]:
    return [
        f"update {table} set {column} = '{value}'"
        f" where id in (select id from {table} order by id limit 1 offset {number})"
        for number, value in enumerate(values, after)
    ]
