"""Guarantees: finds a tested destination by its name, and says why others are refused."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from wholesale.errors import ConfigurationError
from wholesale_elt.process import plugin_names, plugins
from wholesale_elt.warehouse.port import Destination

DUCKDB = "duckdb"

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
    "postgresql": "postgres",
    "pg": "postgres",
    "iceberg": "lake",
    "sqlite": "sqlalchemy",
    "mysql": "sqlalchemy",
}


def tested(name: str) -> Destination:
    """The destination of that name.

    Raises: ConfigurationError for a refused one, with the reason; for an unknown name, with the
    nearest known one; for one whose libraries are not installed, with their extra.
    """
    named: Iterable[Destination] = plugins("destinations", name)
    for destination in named:
        return destination
    names = plugin_names("destinations")
    known = ", ".join(names)
    meant = ALIASES.get(name.lower(), name.lower())
    if meant in REFUSED:
        raise ConfigurationError(
            f"destination {name} is refused: {REFUSED[meant]}; those that are exact are {known}"
        )
    near = [meant] if meant in names else get_close_matches(meant, names, 1, 0.5)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise ConfigurationError(f"there is no destination {name}: there are {known}{hint}")
