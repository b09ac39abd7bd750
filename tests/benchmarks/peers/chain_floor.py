"""What no build and no publication can do without: the SQL of the models as it is rendered, in one
connection, each after those that it reads; and the Parquet files of what is published.

Run it as `python chain_floor.py sql|parquet` where a first build has left `wholesale.duckdb`: it
tests nothing, and writes into a copy of the file. The SQL runs on one
thread, as in a build: two take more of the processor.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale_elt.models.raw_tables import declared
from wholesale_elt.models.rendering import read_project
from wholesale_elt.warehouse import DuckDBRaw


def run_models(connection):
    found = {}
    for table, column, type_ in connection.execute(
        "select table_name, column_name, lower(replace(data_type, ' ', ''))"
        " from information_schema.columns where table_schema = 'wholesale_raw'"
    ).fetchall():
        found.setdefault(table, {})[column] = type_
    connection.execute("create schema bare")
    path = "bare,wholesale_history,wholesale_staging"
    connection.execute(f"set search_path = '{path}'")
    for model in declared(read_project(DuckDBRaw.dialect), found).models:
        if model.layer != "staging":  # views, which stand
            kind = "view" if model.kind == "view" else "table"
            connection.execute(f"create {kind} bare.{model.name} as {model.sql}")


def write_parquet(connection, folder):
    tables = connection.execute(
        "select schema_name, table_name from duckdb_tables()"
        " where schema_name in ('wholesale_marts', 'wholesale_bi')"
    ).fetchall()
    for schema, table in tables:
        connection.execute(
            f"copy {schema}.{table} to '{folder}/{schema}.{table}.parquet'"
            " (format parquet, compression zstd)"
        )


def main():
    with TemporaryDirectory(dir=".") as folder:
        database = Path(folder, "wholesale.duckdb")
        shutil.copy("wholesale.duckdb", database)
        config = {"memory_limit": "1GB", "preserve_insertion_order": False}
        with duckdb.connect(str(database), config=config) as connection:
            connection.execute("set TimeZone = 'UTC'")
            if sys.argv[1] == "sql":
                connection.execute("set threads = 1")
                run_models(connection)
            else:
                write_parquet(connection, folder)


if __name__ == "__main__":
    main()
