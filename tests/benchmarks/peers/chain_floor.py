"""What no build and no publication can do without: the SQL of the models as it was compiled, in one
connection, each after those that it reads; and the Parquet files of what is published.

Run it as `python chain_floor.py sql|parquet` where a first build has left `wholesale.duckdb`: it
reads the mark of that build, tests nothing, and writes into a copy of the file. The SQL runs on one
thread, as in a build: two take more of the processor.
"""

import json
import re
import shutil
import sys
from datetime import UTC, datetime
from graphlib import TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

NEXT = ("wholesale_intermediate__next", "wholesale_marts__next", "wholesale_bi__next")
VIEWS = {"int_orders"}


def run_models(connection):
    ((mark,),) = connection.execute("select mark from wholesale_build.mark").fetchall()
    # As of now, as a build runs it: it was compiled once, and orders of later days would be none.
    now = f"'{datetime.now(UTC)}'"
    models = json.loads(re.sub(r"'[^']*' /\* now \*/", now, mark))["models"]
    for schema in (*NEXT, "bare_history"):
        connection.execute(f"create schema {schema}")
    parents = {name: model["parents"] for name, model in models.items()}
    for name in TopologicalSorter(parents).static_order():
        layer = models[name]["layer"] if name in models else "staging"
        if layer != "staging":  # views, which stand
            schema = "bare_history" if layer == "history" else f"wholesale_{layer}__next"
            kind = "view" if name in VIEWS else "table"
            connection.execute(f"create {kind} {schema}.{name} as {models[name]['sql']}")


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
