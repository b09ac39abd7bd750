"""Erasing from models and published versions: what others bought stays what it was."""

from pathlib import Path

import duckdb
import pytest

from support.warehouses.marts import Marts, Row
from wholesale_elt.erasure.erasing import erase
from wholesale_elt.erasure.receipt import verify
from wholesale_elt.publish.publisher import publish_marts

SALES = (
    "select buyer_id, order_status, count(*), sum(total), min(ordered_at), max(ordered_at)"
    " from {}.fct_orders group by all order by all"
)
TOTALS = "select order_count, sales_amount from {}.rpt_headlines"


def values_of(marts: Marts, buyer: str) -> set[str]:
    """What only the records of that buyer and its people say."""
    said: set[Row] = set()
    for table, key in (("buyers", "id"), ("buyer_users", "buyer_id")):
        names = "email, " + ("company_name, phone" if table == "buyers" else "full_name, email")
        rows = marts.rows(f"select {names} from wholesale_raw.{table} where {key} = '{buyer}'")
        said.update(rows)
    return {str(value) for row in said for value in row if value}


def found_in(file: Path, values: set[str]) -> set[str]:
    """Which of these stand in a DuckDB file, whatever table or column."""
    with duckdb.connect(str(file), read_only=True) as connection:
        tables = connection.execute(
            "select schema_name, table_name from duckdb_tables() union"
            " select schema_name, view_name from duckdb_views() where not internal"
        ).fetchall()
        text = "\n".join(
            str(connection.execute(f'from "{schema}"."{table}"').fetchall())
            for schema, table in tables
        )
    return {value for value in values if value in text}


@pytest.mark.slow
def test_models_and_versions_are_made_of_what_is_left(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIVACY__PUBLISHED", "all")
    published = tmp_path / "published"
    first = publish_marts(marts.warehouse, str(published)).in_force
    [(buyer,)] = marts.rows(
        "select buyer_id from wholesale_raw.orders group by 1 order by count(*) desc, 1 limit 1"
    )
    values, sales = values_of(marts, buyer), marts.rows(SALES.format("wholesale_marts"))
    assert first
    assert len(values) > 3
    assert found_in(published / "wholesale.duckdb", values) == values

    receipt = erase(marts.warehouse, buyer, [str(published)])

    assert found_in(marts.database, values) == set()
    assert found_in(published / "wholesale.duckdb", values) == set()
    for path in published.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert {value for value in values if value.encode() in content} == set(), path
    assert marts.rows(SALES.format("wholesale_marts")) == sales
    [place] = receipt.places
    assert [path.name for path in (published / "versions").iterdir()] == [place.in_force]
    assert (place.in_force != first.version, place.removed) == (True, 1)
    assert verify(receipt, marts.warehouse) == []
