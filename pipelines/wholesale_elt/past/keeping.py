"""Keeping: for how long rows of the past are kept.

By default for ever: what was replaced cannot be asked for again, and takes the room of the edits.
"""

from datetime import UTC, datetime, timedelta

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from wholesale.configuration import read_model
from wholesale.errors import ConfigurationError
from wholesale.names import VALID_TO
from wholesale_elt.past.names import is_past, literal
from wholesale_elt.past.reach import UNTIL
from wholesale_elt.warehouse import Raw

SECTION = "history"
FORGOTTEN_SCHEMA = pa.schema([pa.field(UNTIL, pa.timestamp("us", "UTC"), nullable=False)])


class NotInPast(ConfigurationError):
    """A moment of which nothing is stored, or not any more."""


class HistorySettings(BaseModel):
    """The section `history` of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep_days: int | None = Field(default=None, ge=1, le=36_500)
    """For how many days rows are kept that were replaced; by default for ever."""


def moment_to_forget() -> datetime | None:
    """The moment until which the past is to be forgotten, by the settings; None: nothing is.

    Raises: ConfigurationError.
    """
    days = read_model(HistorySettings, SECTION).keep_days
    return datetime.now(UTC) - timedelta(days=days) if days else None


def old_tables(raw: Raw, moment: datetime) -> list[str]:
    """The tables of the past with rows that were replaced before this moment."""
    return [
        name
        for name in raw.tables()
        if is_past(name) and raw.rows(f"select 1 from {_old(raw, name, moment)} limit 1")
    ]


def forget(raw: Raw, table: str, moment: datetime) -> None:
    """Remove the rows of a table of the past that were replaced before this moment."""
    raw.execute(f"delete from {_old(raw, table, moment)}")


def forgotten(moment: datetime) -> pa.Table:
    """The row that says so."""
    return pa.Table.from_pylist([{UNTIL: moment}], schema=FORGOTTEN_SCHEMA)


def _old(raw: Raw, table: str, moment: datetime) -> str:
    return f"{raw.name(table)} where {VALID_TO} < {literal(moment)}"
