"""Ids: an earlier layout kept each GUID as the service spelled it; all of them are spelled alike
once, so that what was stored then is the same record as what comes now."""

from collections.abc import Iterator, Sequence

from wholesale.api import DIGITS_WITH_DASHES, GUID, RESOURCE
from wholesale.errors import ConfigurationError
from wholesale.tables import is_id
from wholesale_elt.runs.damage import forget_digests
from wholesale_elt.runs.releases import release_row
from wholesale_elt.warehouse import RAW_DATASET, Raw, RawReader, Warehouse

HISTORY = "wholesale_history"
"""The schema of what builds keep of earlier ones."""
DASHED = "-".join("_" * digits for digits in (8, 4, 4, 4, 12))


def spell_ids(raw: Raw) -> None:
    """Spell all GUIDs plainly, those of the past and of logs too; to be called in a transaction.

    Since when and until when a row is as it is stays so. Digests of a resource that is spelled
    otherwise now claim nothing any more.
    """
    for schema, table, columns in _spelled_otherwise(raw):
        plain = ", ".join(
            f"{name} = case when {_is_other(name)} then"
            f" regexp_replace(lower({name}), '^{GUID}$', '{DIGITS_WITH_DASHES}') else {name} end"
            for name in columns
        )
        raw.execute(f"update {schema}.{table} set {plain} where {_any(columns)}")
        if (resource := table.partition("__")[0]) in RESOURCE:
            forget_digests(raw, resource)


def require_plain_ids(raw: RawReader, warehouse: Warehouse) -> None:
    """Raises: ConfigurationError if ids are stored that a command which only reads would miss."""
    if any(_spelled_otherwise(raw)):
        raise ConfigurationError(
            f"{warehouse.name} has GUIDs as the service spelled them, which an earlier release"
            " stored so: run `wholesale sync` first, which spells them alike"
        )


def _spelled_otherwise(raw: RawReader) -> Iterator[tuple[str, str, Sequence[str]]]:
    """The tables, by schema and name, with GUIDs in another spelling, and the columns that can have
    one. Where this layout wrote last there are none, and nothing is looked at."""
    if not len(release_row(raw)):
        return
    described = raw.tables()
    for (schema, table), columns in raw.text_columns().items():
        if schema == RAW_DATASET and table in described:
            hints = described[table]["columns"]
            columns = [name for name in columns if hints.get(name, {}).get("data_type") == "text"]
        elif schema != HISTORY:
            continue
        of_ids = [name for name in columns if is_id(name)]
        query = f"select 1 from {schema}.{table} where {_any(of_ids)} limit 1"
        if of_ids and raw.rows(query):
            yield schema, table, of_ids


def _any(columns: Sequence[str]) -> str:
    return " or ".join(f"({_is_other(name)})" for name in columns)


def _is_other(name: str) -> str:
    """The condition for a GUID in another spelling; its first part is only for speed."""
    is_plain = f"{name} = lower({name}) and {name} like '{DASHED}'"
    return f"not ({is_plain}) and lower({name}) ~ '^{GUID}$'"
