"""Warehouses as released versions left them: what they wrote, kept in files that git can hold.

    python -m support.warehouses.released wholesale.duckdb FOLDER

keeps one; it is to be written by that version, from the service that `fill` makes.
"""

import sys
from pathlib import Path

import duckdb

from support.paths import ROOT

FOLDER = ROOT / "tests" / "wholesale_elt" / "load" / "released"
SCHEMA = "wholesale_raw"


def keep(database: Path, folder: Path) -> None:
    """Write its raw tables into that folder: how they were made, and a file of rows each."""
    folder.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(database), read_only=True) as connection:
        tables = connection.execute(
            "select table_name, sql from duckdb_tables() where schema_name = ? order by 1", [SCHEMA]
        ).fetchall()
        (folder / "tables.sql").write_text("\n".join(sql for _, sql in tables) + "\n", "utf-8")
        for table, _ in tables:
            connection.execute(
                f"copy {SCHEMA}.{table} to '{folder / table}.parquet' (compression zstd)"
            )


def restore(folder: Path, database: Path) -> None:
    """Make the file that was kept."""
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"create schema {SCHEMA}")
        connection.execute((folder / "tables.sql").read_text("utf-8"))
        for path in folder.glob("*.parquet"):
            connection.execute(f"insert into {SCHEMA}.{path.stem} by name from '{path}'")


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Path(sys.argv[2]))
