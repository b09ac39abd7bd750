"""Guarantees: what each tested destination guarantees, and why the others are refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from wholesale.errors import ConfigurationError

DUCKDB = "duckdb"
DUCKLAKE = "ducklake"
LAKE = "lake"
POSTGRES = "postgres"

GUARANTEES: Mapping[str, str] = {
    "whole records": "A record and its children are always visible together, or not at all.",
    "exact decimals": "38 digits, 9 after the point, as received.",
    "microseconds": "Times in UTC, to the microsecond.",
    "empty text": "An empty text stays distinct from NULL.",
    "one writer": "A second run, on any machine, says which run is at work, and ends.",
    "history": "What each sync saw is recorded in the transaction that writes it.",
    "build": "The SQL models run there, with the same results.",
    "publish": "The models built there are published in the same files.",
}
"""By name, in the order of README's table."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A destination that passes the suite; `settings` say where it is, by default `database`."""

    title: str
    database: str
    settings: str
    is_folder: bool = False
    guarantees: tuple[str, ...] = tuple(GUARANTEES)


TESTED: Mapping[str, Tested] = {
    DUCKDB: Tested("DuckDB", "wholesale.duckdb", "`--database`: the file"),
    DUCKLAKE: Tested(
        "DuckLake",
        "wholesale.ducklake",
        "`--database`: the catalogue, a SQLite file; or `DESTINATION__DUCKLAKE__CATALOG`, a"
        " PostgreSQL database; and `DESTINATION__DUCKLAKE__STORAGE`: a folder, or"
        " `s3://bucket/prefix`",
    ),
    LAKE: Tested(
        "Iceberg",
        "wholesale.lake",
        "`--database`: a folder, with a catalogue of its own; or `DESTINATION__LAKE__CATALOG`: a"
        " catalogue of pyiceberg's configuration, or `CATALOGUE/PREFIX`",
        is_folder=True,
    ),
    POSTGRES: Tested(
        "PostgreSQL",
        "",
        "`DESTINATION__POSTGRES__CREDENTIALS`: a libpq connection string; `--database`: another"
        " database of that server",
    ),
}
_ONE_TABLE = "it has no transaction over several tables, so readers could see half a record"
_UNTRIED = "no test here proves it exact"
REFUSED: Mapping[str, str] = {
    "sqlalchemy": "SQLite would store money as floats, and MariaDB would encode JSON twice",
    "clickhouse": _ONE_TABLE,
    "filesystem": "plain files cannot be merged, so child rows would go stale",
    "delta": _ONE_TABLE,
    "athena": _ONE_TABLE,
    "lancedb": "it is a vector index without exact decimals",
    "weaviate": "it is a vector index without exact decimals",
    "qdrant": "it is a vector index without exact decimals",
    "bigquery": _UNTRIED,
    "snowflake": _UNTRIED,
    "redshift": _UNTRIED,
    "databricks": _UNTRIED,
    "mssql": _UNTRIED,
    "synapse": _UNTRIED,
    "fabric": _UNTRIED,
    "dremio": _UNTRIED,
    "motherduck": _UNTRIED,
    "dummy": "it stores nothing",
}
"""Destinations of dlt to which a sync does not load, and why."""
ALIASES = {
    "postgresql": POSTGRES,
    "pg": POSTGRES,
    "iceberg": LAKE,
    "sqlite": "sqlalchemy",
    "mysql": "sqlalchemy",
}


def tested(name: str) -> Tested:
    """The destination of that name.

    Raises: ConfigurationError for a refused one, with the reason; for an unknown name, with the
    nearest known one.
    """
    if name in TESTED:
        return TESTED[name]
    known = ", ".join(TESTED)
    meant = ALIASES.get(name.lower(), name.lower())
    if meant in REFUSED:
        raise ConfigurationError(
            f"destination {name} is refused: {REFUSED[meant]}; those that are exact are {known}"
        )
    near = [meant] if meant in TESTED else get_close_matches(meant, TESTED, 1, 0.5)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise ConfigurationError(f"there is no destination {name}: there are {known}{hint}")
