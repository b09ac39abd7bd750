"""Files: how DuckDB is told of a file, and how a new one is made."""

from pathlib import Path, PurePath

from wholesale.errors import ConfigurationError
from wholesale_elt.process import budget

STORAGE_VERSION = "v1.3.0"
"""The storage version of new files: text takes less time and space than in the oldest one. DuckDB
1.3 and later reads it; older readers can read what is published."""


def create(database: Path) -> None:
    """Make an empty file; its storage version can only be set now."""
    with budget.connect() as connection:
        connection.execute(
            f"attach {quoted(database)} as new (storage_version '{STORAGE_VERSION}')"
        )


def refuse_query(path: Path, place: str) -> None:
    """Refuse a path with a question mark: DuckDB takes it for the beginning of a query, as in a
    URL, and would keep its log of changes elsewhere than beside the file.

    Raises: ConfigurationError, in which `place` is what the user wrote.
    """
    if "?" in str(path.absolute()):
        raise ConfigurationError(
            f"{place} is at {path.absolute()}: DuckDB cannot use a path with a question mark, name"
            " another one"
        )


def quoted(path: PurePath | str) -> str:
    """The path as an SQL literal."""
    return "'" + str(path).replace("'", "''") + "'"
