"""Comments: the SQL that says what tables and columns mean, as DuckDB and PostgreSQL take it."""

from collections.abc import Mapping


def comments(kind: str, place: str, description: str, columns: Mapping[str, str]) -> str:
    """Statements for a table or view, by its `kind`, and for those of its columns that have a
    meaning; `place` and names are quoted where they need to be."""
    told = [(f"{kind} {place}", description)]
    told += [(f'column {place}."{name}"', meaning) for name, meaning in columns.items()]
    return "; ".join(f"comment on {what} is {_text(of)}" for what, of in told if of)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
