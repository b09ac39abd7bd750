"""Sessions of a server are as we set them, whatever a role, a database or the environment says."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pytest

from support.services.postgres import connect
from support.warehouses.destinations import NOWHERE, empty_place
from wholesale.errors import ConfigurationError
from wholesale_elt.warehouse import Warehouse
from wholesale_elt.warehouse.ports.postgres_server import PostgresServer

TEXT = "Søren 株式会社 §5760"
WANTED = {
    "client_encoding": "UTF8",
    "TimeZone": "UTC",
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "standard_conforming_strings": "on",
    "transform_null_equals": "off",
    "statement_timeout": "0",
    "idle_session_timeout": "0",
    "default_transaction_isolation": "read committed",
}
OTHERWISE = {
    "client_encoding": "LATIN1",
    "timezone": "Asia/Tokyo",
    "datestyle": "German",
    "intervalstyle": "iso_8601",
    "bytea_output": "escape",
    "extra_float_digits": "-5",
    "standard_conforming_strings": "off",
    "transform_null_equals": "on",
    "statement_timeout": "1",
    "idle_session_timeout": "7000",
    "default_transaction_isolation": "serializable",
    "search_path": "nowhere",
}


@pytest.fixture
def warehouse(socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warehouse]:
    with empty_place("postgres", tmp_path, socket, NOWHERE, monkeypatch) as place:
        monkeypatch.setenv("DATABASE_URL", place.environment["DESTINATION__POSTGRES__CREDENTIALS"])
        yield place.warehouse


def _database_of(warehouse: Warehouse) -> str:
    with warehouse.open() as raw:
        [(name,)] = raw.rows("select current_database()")
        return str(name)


def _require_what_is_wanted(warehouse: Warehouse) -> None:
    with warehouse.open() as raw:
        raw.rows("select 1 from no_such_table")
        found = {name: raw.rows(f"show {name}")[0][0] for name in WANTED}
        raw.execute("create schema if not exists wholesale_raw")
        raw.execute("create table wholesale_raw.texts (a text)")
        raw.append("wholesale_raw.texts", pa.table({"a": [TEXT]}))
        [batch] = raw.batches("select a from wholesale_raw.texts", pa.schema({"a": pa.string()}))
        assert raw.rows("select a, ascii(substr(a, 2, 1)) from wholesale_raw.texts") == [
            (TEXT, ord("ø"))
        ]
    assert found == WANTED
    assert batch.to_pylist() == [{"a": TEXT}]


@pytest.mark.parametrize("altered", ["role postgres", "database"])
def test_what_a_role_or_a_database_sets_does_not_count(
    warehouse: Warehouse, socket: str, altered: str
) -> None:
    place = f"database {_database_of(warehouse)}" if altered == "database" else altered
    with closing(connect(socket)) as server, server.cursor() as cursor:
        for name, value in OTHERWISE.items():
            cursor.execute(f"alter {place} set {name} = '{value}'")
    try:
        _require_what_is_wanted(warehouse)
    finally:
        with closing(connect(socket)) as server, server.cursor() as cursor:
            cursor.execute(f"set statement_timeout = 0; alter {place} reset all")


def test_what_the_environment_sets_does_not_count(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    monkeypatch.setenv("PGTZ", "Asia/Tokyo")
    monkeypatch.setenv("PGDATESTYLE", "German")
    monkeypatch.setenv("PGOPTIONS", "-c datestyle=German -c client_encoding=SQL_ASCII")

    _require_what_is_wanted(warehouse)


@pytest.mark.parametrize(
    "asked",
    [
        "client_encoding=LATIN9",
        "client_encoding=auto",
        f"options={quote('-c client_encoding=WIN1252 -c timezone=Asia/Tokyo -c datestyle=SQL')}",
        f"options={quote('-cextra_float_digits=0 --bytea_output=escape')}",
    ],
)
def test_what_a_connection_string_says_of_values_does_not_count(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    url = os.environ["DATABASE_URL"]
    monkeypatch.setenv("DESTINATION__POSTGRES__CREDENTIALS", f"{url}&{asked}")

    _require_what_is_wanted(warehouse)


def test_how_long_a_statement_waits_is_left_to_a_connection_string(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c statement_timeout=7s")

    with warehouse.open() as raw:
        assert raw.rows("show statement_timeout") == [("7s",)]


@pytest.mark.parametrize("encoding", ["LATIN1", "WIN1252", "SQL_ASCII", "EUC_JP"])
def test_a_database_that_does_not_hold_every_text_is_refused(socket: str, encoding: str) -> None:
    name = f"in_{encoding.lower()}"
    with closing(connect(socket)) as server, server.cursor() as cursor:
        cursor.execute(
            f"create database {name} template template0 encoding '{encoding}' locale 'C'"
        )
    url = f"postgresql://postgres@/{name}?host={quote(socket, safe='')}"

    with pytest.raises(ConfigurationError, match=encoding):
        PostgresServer(url).require()
