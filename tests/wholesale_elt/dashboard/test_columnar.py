"""How values reach the dashboard: exact, in few forms, repeated texts only once."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import duckdb
import msgspec
import pytest

from support.warehouses.sites import rows_of
from wholesale.errors import WholesaleError
from wholesale_elt.dashboard import columnar
from wholesale_elt.dashboard.columnar import read_row, read_table, read_tables

GUID = "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f"


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'America/Chicago'")
        yield connection


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("cast('12.500000000' as decimal(38, 9))", "12.5"),
        ("cast('0.000000001' as decimal(38, 9))", "0.000000001"),
        ("cast('-100' as decimal(38, 9))", "-100"),
        (
            "cast('12345678901234567890123456789.123456789' as decimal(38, 9))",
            "12345678901234567890123456789.123456789",
        ),
        ("cast(100 as decimal(38, 0))", "100"),
        ("cast(null as decimal(38, 9))", None),
        ("date '2025-03-04'", "2025-03-04"),
        ("timestamptz '2025-03-04 05:06:07.9+02'", "2025-03-04T03:06:07Z"),
        ("cast(9007199254740991 as bigint)", 9007199254740991),
        ("true", True),
        ("'100.00'", "100.00"),
    ],
)
def test_a_value_has_one_exact_form(
    connection: duckdb.DuckDBPyConnection, sql: str, value: Any
) -> None:
    assert read_row(connection, f"select {sql} as one") == {"one": value}


def test_what_has_no_exact_form_is_refused(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(WholesaleError, match="column share is DOUBLE"):
        read_table(connection, "select cast(0.1 as double) as share")


def test_texts_that_repeat_are_written_once(connection: duckdb.DuckDBPyConnection) -> None:
    sql = "select n, if(n = 2, null, 'v' || n % 2) as repeated, 't' || n as own from range(6) t(n)"
    table = read_table(connection, f"{sql} order by n")
    assert table == {
        "length": 6,
        "columns": {
            "n": {"further": [0, 1, 1, 1, 1, 1]},
            "repeated": {"values": ["v0", "v1"], "codes": [0, 1, None, 1, 0, 1]},
            "own": ["t0", "t1", "t2", "t3", "t4", "t5"],
        },
    }


@pytest.mark.parametrize(
    ("values", "column"),
    [
        (["3", "3", "7"], {"further": [3, 0, 4]}),
        (
            ["-9007199254740991", "0", "9007199254740991"],
            {"further": [-(2**53) + 1, *[2**53 - 1] * 2]},
        ),
        (["3", "3", "3"], [3, 3, 3]),
        (["3", "2", "4"], [3, 2, 4]),
        (["3", "null", "4"], [3, None, 4]),
        (["3", "4"], [3, 4]),
        ([], []),
    ],
)
def test_numbers_that_never_fall_are_written_by_what_they_rise(
    connection: duckdb.DuckDBPyConnection, values: Sequence[str], column: Any
) -> None:
    rows = ", ".join(f"({place}, {value}::bigint)" for place, value in enumerate(values))
    sql = f"from (values {rows or '(0, 0::bigint)'}) as t(place, n)"
    found = read_table(connection, f"select n {sql} {'' if rows else 'where false'} order by place")
    assert found["columns"]["n"] == column
    written = [None if value == "null" else int(value) for value in values]
    assert [row["n"] for row in rows_of(found)] == written


@pytest.mark.parametrize("odd", [None, "", "A", "0", GUID.upper(), GUID.replace("-", "0")])
def test_guids_stand_side_by_side_if_all_are(
    connection: duckdb.DuckDBPyConnection, odd: str | None
) -> None:
    ids = [str(UUID(int=number)) for number in (0, 2**128 - 1, 2**64 + 10)]
    connection.execute("create table told (place integer, id text)")
    connection.executemany("insert into told values (?, ?)", [*enumerate(ids)])
    table = read_table(connection, "select id from told order by place")
    assert table["columns"] == {"id": {"guids": "".join(ids).replace("-", "")}}
    assert [row["id"] for row in rows_of(table)] == ids
    connection.execute("insert into told values (3, ?)", [odd])
    table = read_table(connection, "select id from told order by place")
    assert table["columns"] == {"id": [*ids, odd]}


MOMENTS = ["2025-03-04T03:06:07Z", "2025-03-04T03:06:06Z", "1969-12-31T23:59:59Z"]


@pytest.mark.parametrize(
    "odd",
    [
        *(None, "", "2025-02-28"),
        *("2025-02-29T00:00:00Z", "2025-02-28T24:00:00Z", "2025-02-28T23:59:60Z"),
    ],
)
def test_times_are_written_in_seconds_after_the_one_before_if_all_are(
    connection: duckdb.DuckDBPyConnection, odd: str | None
) -> None:
    connection.execute("create table told (place integer, moment text)")
    connection.executemany("insert into told values (?, ?)", [*enumerate(MOMENTS)])
    asked = "select cast(moment as timestamptz) as moment from told order by place"
    table = read_table(connection, asked)
    assert table["columns"] == {"moment": {"moments": [1741057567, -1, -1741057567]}}
    assert [row["moment"] for row in rows_of(table)] == MOMENTS
    connection.execute("insert into told values (3, ?)", [odd])
    table = read_table(connection, "select moment from told order by place")
    assert table["columns"] == {"moment": [*MOMENTS, odd]}


def test_an_answer_is_cut_by_its_key_wherever_its_batches_end(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columnar, "BATCH", 2_048)
    sql = "select n, 'k' || n // 3000 as k, 't' || n as text from range(10_000) t(n) order by n"
    tables = read_tables(connection, sql, "k", values=["k2", "k7"])
    found = {key: msgspec.json.decode(msgspec.json.encode(table)) for key, table in tables}
    assert list(found) == ["k0", "k1", "k2", "k3", "k7"]
    assert {key: list(rows_of(table)) for key, table in found.items()} == {
        f"k{k}": [
            {"n": n, "text": f"t{n}"} for n in range(3_000 * k, min(3_000 * k + 3_000, 10_000))
        ]
        for k in (0, 1, 2, 3, 7)
    }
