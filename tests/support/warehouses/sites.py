"""The dashboard's files as a browser takes them, and answers of SQL in the same form."""

import json
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb

from support.warehouses.marts import Marts, Row
from wholesale_elt.dashboard import write_dashboard, write_entries
from wholesale_elt.dashboard.scripts import FIRST_BIT, MARK
from wholesale_elt.models import ModelSettings, Project, names_in, read_project
from wholesale_elt.publish.publisher import Published
from wholesale_elt.warehouse import DuckDBRaw

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MANIFEST: Mapping[str, Any] = {
    "version": "20260102T030405000Z-0a1b2c3d",
    "published_at": "2026-01-02T03:04:05.000Z",
    "run_id": "20260102T030000.000000Z",
    "as_of": "2026-01-02T03:00:00.000000Z",
    "built_at": "2026-01-02T03:03:00.000000Z",
    "verdict": "complete",
    "reasons": [],
    "currency": "EUR",
    "time_zone": "UTC",
    "dashboard": "dashboard/20260102T030405000Z-0a1b2c3d/index.html",
}

SCHEMAS = ("wholesale_marts", "wholesale_bi")
SCRIPT = re.compile(r'wholesale\.receive\(("[^"]*"),"([01])([^"\n]*)"\);\n')
MARKED = re.compile(f"{MARK}(.)", re.DOTALL)


@dataclass(frozen=True)
class Site:
    """A site, the published file that it is made of, and the folder that both stand in."""

    database: Path
    folder: Path
    published: Path

    def content(self, name: str) -> Any:
        """What a data file hands to the page."""
        told, content = unpacked((self.folder / "data" / f"{name}.js").read_bytes())
        assert told == name
        return json.loads(content)

    def names(self) -> list[str]:
        data = self.folder / "data"
        return sorted(
            path.relative_to(data).with_suffix("").as_posix() for path in data.rglob("*.js")
        )

    def table(self, name: str, table: str | None = None) -> list[dict[str, Any]]:
        """The rows of a data file, or of one table in it."""
        content = self.content(name)
        return list(rows_of(content if table is None else content[table]))

    def answer(self, sql: str) -> list[Row]:
        """Rows from the published file, in the form that the page gets."""
        with duckdb.connect(str(self.database), read_only=True) as connection:
            rows = connection.execute(f"set timezone = 'UTC'; {sql}").fetchall()
        return [tuple(sent(value) for value in row) for row in rows]


def unpacked(script: bytes) -> tuple[str, bytes]:
    """The name of a data file and the JSON that it has packed, as the page unpacks it."""
    found = SCRIPT.fullmatch(script.decode("utf-16"))
    assert found
    name, filling, letters = found.groups()
    pairs = MARKED.sub(lambda letter: chr(ord(letter[1]) ^ FIRST_BIT), letters)
    packed = pairs.encode("utf-16-le", "surrogatepass")
    return json.loads(name), zlib.decompress(packed[: len(packed) - int(filling)])


def publish(marts: Marts, folder: Path, *changes: str, **manifest: Any) -> Site:
    """Marts and reports, changed by hand if told so, and the site of them."""
    site = folder / MANIFEST["dashboard"]
    database = folder / "versions" / MANIFEST["version"] / "wholesale.duckdb"
    database.parent.mkdir(parents=True)
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"attach '{marts.database}' as warehouse (read_only)")
        for schema in SCHEMAS:
            connection.execute(f"create schema {schema}")
        for schema, table in connection.execute(
            "select schema_name, table_name from duckdb_tables()"
            f" where database_name = 'warehouse' and schema_name in {SCHEMAS}"
        ).fetchall():
            name = f"{schema}.{table}"
            connection.execute(f"create table {name} as from warehouse.{name}")
        for change in changes:
            connection.execute(change)
        if ("wholesale_marts",) in connection.execute(
            "select schema_name from duckdb_tables() where database_name = current_database()"
        ).fetchall():
            give_meanings(connection)
            build_again(connection, DERIVED)
    return write_site(Site(database, site.parent, folder), **manifest)


def give_meanings(connection: duckdb.DuckDBPyConnection) -> None:
    """Say of the states of orders and of their changes what they mean, as a build does."""
    connection.execute("create or replace temp table meanings (field text, state text, means text)")
    connection.executemany(
        "insert into meanings values (?, ?, ?)",
        [[each.field_name, each.state, each.standing] for each in ModelSettings().states()],
    )
    for table, field, column, state in (
        ("fct_orders", "'order_status'", "order_standing", "order_status"),
        *(
            ("fct_order_status_changes", "field_name", f"standing_{side}", f"state_{side}")
            for side in ("before", "after")
        ),
    ):
        connection.execute(
            f"update wholesale_marts.{table} set {column} = coalesce((select means from meanings"
            f" where field = {field} and state = lower(trim({table}.{state}))), 'unknown')"
        )


DERIVED = (
    *("rpt_fulfilment", "rpt_fulfilment_states"),
    *("rpt_fulfilment_steps", "rpt_fulfilment_steps_totals"),
    *("rpt_receivables", "rpt_receivables_by_buyer_totals"),
    *("rpt_order_terms", "rpt_tasks"),
)
"""Reports that are made anew when what they are made of was changed by hand."""


@cache
def _project() -> Project:
    return read_project(DuckDBRaw.dialect)


def build_again(connection: duckdb.DuckDBPyConnection, reports: Collection[str]) -> None:
    """Make these reports, and what they need in between, from the other tables as they are."""
    [(database,)] = connection.execute("select current_database()").fetchall()
    path = ",".join(f"{database}.{schema}" for schema in ("wholesale_build", *SCHEMAS))
    connection.execute(
        "create schema wholesale_build; create table wholesale_build.settings as"
        " from wholesale_marts.dim_settings;"
        " create table wholesale_build.terms (term text, days bigint);"
        " create table wholesale_build.processing (word text, meaning text);"
        " create view wholesale_build.int_order_sightings as select order_id, cast(null"
        " as date) as first_seen_date, cast(null as date) as known_unsent_date,"
        " cast(null as date) as known_sent_date from wholesale_marts.fct_orders;"
        " create view wholesale_build.int_as_of as from wholesale_marts.dim_as_of;"
        f" set search_path = '{path}'"
    )
    models = _project().models
    needed = set(reports)
    for model in reversed(models):
        if model.name in needed and (model.name in reports or model.layer == "intermediate"):
            needed |= names_in(model.sql) - {"int_as_of", "int_order_sightings"}
    for model in models:
        if model.name in needed and model.layer == "intermediate":
            connection.execute(f"create view wholesale_build.{model.name} as {model.sql}")
        elif model.name in reports:
            columns = ", ".join(f"{name} {type_}" for name, type_ in model.columns.items())
            connection.execute(
                f"create or replace table {model.schema}.{model.name} ({columns});"
                f" insert into {model.schema}.{model.name} by name {model.sql}"
            )
    connection.execute(f"use {database}.main; drop schema wholesale_build cascade")


def publish_nothing(marts: Marts, folder: Path) -> Site:
    """The site of an account that has no orders, nor anything else."""
    kept = ("dim_settings", "dim_dates", "dim_as_of", "rpt_periods")
    return publish(
        marts,
        folder,
        *(
            f"delete from {schema}.{table}"
            for schema, table in marts.rows(
                "select schema_name, table_name from duckdb_tables()"
                f" where schema_name in {SCHEMAS} and table_name not in {kept}"
                " and table_name not like '%headlines'"
            )
        ),
        "delete from wholesale_bi.rpt_periods where period_key <> 'all_time'",
        "update wholesale_bi.rpt_periods set first_day = null, last_day = null",
        "update wholesale_marts.dim_as_of set figures_from = null, figures_up_to = null,"
        " last_ordered_date = null",
        "update wholesale_bi.rpt_headlines set as_of_date = null, figures_up_to = null,"
        " figures_from = null,"
        " last_ordered_date = null, quiet_day_count = null, order_count = 0",
    )


def write_site(site: Site, **manifest: Any) -> Site:
    facts = {**MANIFEST, **manifest}
    write_dashboard(site.database, site.folder, facts)
    write_entries(site.published, facts)
    return site


def rows_of(table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    columns = {name: decoded(column) for name, column in table["columns"].items()}
    assert {len(values) for values in columns.values()} <= {table["length"]}
    for place in range(table["length"]):
        yield {name: values[place] for name, values in columns.items()}


def decoded(column: Any) -> list[Any]:
    if isinstance(column, list):
        return column
    if "guids" in column:
        digits = column["guids"]
        return [str(UUID(digits[at : at + 32])) for at in range(0, len(digits), 32)]
    if "further" in column:
        return [*accumulate(column["further"])]
    if "moments" in column:
        starts = (EPOCH + timedelta(seconds=each) for each in accumulate(column["moments"]))
        return [sent(each) for each in starts]
    values = column["values"]
    return [None if code is None else values[code] for code in column["codes"]]


def sent(value: Any) -> Any:
    if isinstance(value, Decimal):
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M:%SZ}"
    return value.isoformat() if isinstance(value, date) else value


def site_of(published: Published) -> Site:
    """What a publication put in force."""
    assert published.in_force is not None
    folder = Path(published.place)
    return Site(
        folder / published.in_force.database.path,
        (folder / published.in_force.dashboard).parent,
        folder,
    )
