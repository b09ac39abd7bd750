"""Parts: what is published of a part of an account in which all else is marked."""

import json
import re
from abc import ABC, abstractmethod
from codecs import BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from support.warehouses.marts import Marts, Row
from support.warehouses.sites import unpacked
from wholesale.api import RESOURCE

MARK = "of somebody else"
AMOUNT, LARGE = Decimal("770077.13"), 700_000
"""Every amount and count of others, and from where on a number must have one of them in it."""
OWN_LARGE = ("rpt_freshness", "dim_settings")
"""Tables with large numbers of their own: ages in seconds, and largest amounts by setting."""
GUID = re.compile(rb"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
VERSION = re.compile(r"\d{8}T\d{9}Z-[0-9a-f]{8}")
LINKS = {"id", "status", "payment_status", "valid_from", "valid_to", "observed_at", "_deleted_at"}
"""Columns that stay as they are where the rest of a record is marked, beside ids of others."""
OF_RUNS = {"run_id", "resource", "service", "destination", "strategy", "verdict", "proof"}


@dataclass(frozen=True)
class Published:
    """The id of a part, two versions of it one after the other, and what others have in the same
    warehouse: the ids of all their records."""

    key: str
    folder: Path
    others: frozenset[str]

    def current(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "current.json").read_text("utf-8"))
        return found

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Each file, and whatever is packed in it, without the names of versions, and when these
        were published."""
        names = {
            told[name]: f"<{name} {number}>"
            for number, path in enumerate(sorted(self.folder.glob("versions/*/manifest.json")))
            for told in [json.loads(path.read_text("utf-8"))]
            for name in ("version", "published_at")
        }
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                content = path.read_bytes()
                if content.startswith(BOM_UTF16_LE):
                    _, content = unpacked(content)
                name = str(path.relative_to(self.folder))
                for text, said in names.items():
                    content = content.replace(text.encode(), said.encode())
                    name = name.replace(text, said)
                yield name, content

    def tables(self) -> dict[str, list[Row]]:
        """Every row of every table of each DuckDB and Parquet file."""
        found: dict[str, list[Row]] = {}
        for path in sorted(self.folder.glob("versions/*/wholesale.duckdb")):
            with duckdb.connect(str(path), read_only=True) as connection:
                for (table,) in connection.execute(
                    "select schema_name || '.' || table_name from duckdb_tables()"
                    " union all select schema_name || '.' || view_name from duckdb_views()"
                    " where not internal order by all"
                ).fetchall():
                    rows = connection.execute(f"from {table} order by all").fetchall()
                    found[f"{path.parent.name} {table}"] = rows
            digests = f"{path.parent.name} meta.digests"
            found[digests] = [  # but of tables that name versions
                row
                for row in found[digests]
                if not VERSION.search(repr(found.get(f"{path.parent.name} {row[0]}.{row[1]}")))
            ]
        for path in sorted(self.folder.glob("versions/*/parquet/*/*.parquet")):
            rows = duckdb.execute(f"from '{path}' order by all").fetchall()
            found[f"{path.parents[2].name} {path.name}"] = rows
        return found


class Account(ABC):
    """The raw tables of a warehouse, in which all is changed that is not of one part."""

    def __init__(self, marts: Marts, key: str) -> None:
        self.marts, self.key = marts, key
        self.columns: dict[str, dict[str, str]] = {}
        for table, column, type_ in marts.rows(
            "select table_name, column_name, data_type from duckdb_columns()"
            " where schema_name = 'wholesale_raw'"
        ):
            self.columns.setdefault(table, {})[column] = type_

    @abstractmethod
    def others(self) -> dict[str, str]:
        """The rows of each table that are not of the part, as a condition."""

    def ids_of_others(self) -> frozenset[str]:
        """Those of their records, and of people and lists that nobody of the vendor has."""
        return frozenset(
            key
            for table, condition in self.others().items()
            if table in RESOURCE
            for (key,) in self.marts.rows(f"select id from wholesale_raw.{table} where {condition}")
        )

    def mark(self) -> None:
        """Put the mark into every text of others, and the amount into every number of theirs."""
        self.marts.change(*map(self._marked, self.others().items()))

    def _marked(self, of: tuple[str, str]) -> str:
        table, condition = of
        kept = LINKS | (OF_RUNS if table == "sync_runs" else set())
        marks = {"VARCHAR": f"'{MARK}'", "JSON": f"""'"{MARK}"'""", "BIGINT": str(int(AMOUNT))}
        changed = {
            name: str(AMOUNT) if type_.startswith("DECIMAL") else marks[type_]
            for name, type_ in self.columns[table].items()
            if name not in kept
            and not name.endswith(("_id", "_number"))
            and (type_.startswith("DECIMAL") or type_ in marks)
        }
        assert changed, table
        told = ", ".join(f'"{name}" = {value}' for name, value in changed.items())
        return f"update wholesale_raw.{table} set {told} where {condition}"


def require_nothing_of_others(marked: Published) -> None:
    """No file has a text, a number or an id of others, packed or not."""
    assert marked.others
    for name, content in marked.files():
        assert MARK.encode() not in content, name
        assert {guid.decode() for guid in GUID.findall(content)} & marked.others == set(), name
        assert b"770077" not in content, name
    for name, rows in marked.tables().items():
        cells = [cell for row in rows for cell in row]
        text = repr(cells)
        assert MARK not in text, name
        assert {guid.decode() for guid in GUID.findall(text.encode())} & marked.others == set()
        large = [
            cell
            for cell in cells
            if isinstance(cell, int | float | Decimal) and not -LARGE < cell < LARGE
        ]
        assert large == [] or any(own in name for own in OWN_LARGE), name


def require_same_bytes(one: Published, other: Published) -> None:
    """What others do changes no byte of it, and no row."""
    plain, marked = (
        {
            name: content
            for name, content in each.files()
            # tables are compared row by row, as queries give rows in any order
            if not name.endswith((".duckdb", ".parquet", ".json", ".lock"))
        }
        for each in (one, other)
    )
    assert {name for name in plain if plain[name] != marked[name]} == set()
    assert plain.keys() == marked.keys()
    rows = [list(each.tables().values()) for each in (one, other)]
    for row, other_row in zip(*rows, strict=True):
        assert VERSION.sub("", repr(row)) == VERSION.sub("", repr(other_row))
