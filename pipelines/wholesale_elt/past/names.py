"""Names of the past: what the tables beside those of records, and moments, are called in SQL."""

from datetime import UTC, datetime

PAST = "__past"


def past_of(table: str) -> str:
    """The name of the table of the past beside a table of records."""
    return f"{table}{PAST}"


def is_past(table: str) -> bool:
    """Whether this is the name of a table of the past."""
    return table.endswith(PAST)


def record_table_of(table: str) -> str:
    """The name of the table of records beside this table of the past, or of itself."""
    return table.removesuffix(PAST)


def literal(moment: datetime) -> str:
    """A moment in SQL."""
    return f"timestamptz '{moment.astimezone(UTC).isoformat(sep=' ', timespec='microseconds')}'"
