"""DuckDB alone: `read_json` over the addresses of all pages, with declared types."""

import os
from pathlib import Path

import duckdb
import duckdb_extension_httpfs
from warehouse import load, orders_of

CONNECTIONS = 8
"""Threads: each waits for its own page."""
URL = os.environ["BENCHMARK_BASE_URL"] + "/orders?verbose=true&limit=100&page="
(EXTENSION,) = Path(duckdb_extension_httpfs.__file__).parent.rglob("httpfs.duckdb_extension")

with duckdb.connect(
    "warehouse.duckdb", config={"storage_compatibility_version": "v1.3.0"}
) as connection:
    connection.execute(f"LOAD '{EXTENSION}'")
    connection.execute(
        "CREATE SECRET (TYPE http, EXTRA_HTTP_HEADERS"
        f" MAP {{'X-API-Key': '{os.environ['BENCHMARK_API_KEY']}'}})"
    )
    # without it each page is asked for with HEAD first, and then in ranges
    connection.execute(f"SET force_download = true; SET threads = {CONNECTIONS}")
    (pages,) = connection.execute(
        f"SELECT pagination.total_pages FROM read_json('{URL}1',"
        " columns = {pagination: 'STRUCT(total_pages BIGINT)'})"
    ).fetchone()
    load(connection, orders_of([f"{URL}{number}" for number in range(1, pages + 1)]))
