"""The parts that no extractor with these libraries can do without, one after the other: start,
pull every byte once, decode it to exact types, insert it into DuckDB.

Prints the seconds of each part but the start. It checks nothing, retries nothing, keeps no state.
"""

import json
import os
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import dlt  # noqa: F401 - it keeps the schema and the state, so it is part of every start
import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj
from warehouse import COMMENT, FIELDS, LINE

CONNECTIONS = 4
PAGES = 40
"""Decoded and inserted at a time."""

ARROW = {
    "VARCHAR": pa.string(),
    "BIGINT": pa.int64(),
    "DECIMAL(38, 9)": pa.decimal128(38, 9),
    "TIMESTAMPTZ": pa.timestamp("us", "UTC"),
}


def arrow(fields):
    return [pa.field(name, ARROW[type_]) for name, type_ in fields.items()]


CHILDREN = {"order_line_items": pa.struct(arrow(LINE)), "order_comments": pa.struct(arrow(COMMENT))}
ORDER = pa.struct([*arrow(FIELDS), *(pa.field(n, pa.list_(t)) for n, t in CHILDREN.items())])
PAGE = pa.schema([("data", pa.list_(ORDER))])


class Connection:
    """Reads pages of one kept-alive connection, and nothing but their bodies."""

    def __init__(self):
        host, _, self.path = os.environ["BENCHMARK_BASE_URL"].removeprefix("http://").partition("/")
        name, _, port = host.partition(":")
        self.key = os.environ["BENCHMARK_API_KEY"]
        self.socket = socket.create_connection((name, int(port)))
        self.file = self.socket.makefile("rb", buffering=1 << 20)

    def page(self, number):
        self.socket.sendall(
            f"GET /{self.path}/orders?verbose=true&limit=100&page={number} HTTP/1.1\r\n"
            f"Host: localhost\r\nX-API-Key: {self.key}\r\n\r\n".encode()
        )
        length = 0
        while (line := self.file.readline()) != b"\r\n":
            if line.startswith(b"Content-Length:"):
                length = int(line[15:])
        return self.file.read(length)


def flatten(orders):
    yield "orders", pa.table({name: orders.field(name) for name in FIELDS})
    for child, type_ in CHILDREN.items():
        lists = orders.field(child)
        entries = lists.flatten()
        parents = orders.field("id").take(pc.list_parent_indices(lists))
        columns = {field.name: entries.field(field.name) for field in type_}
        yield child, pa.table({"order_id": parents, **columns})


def main():
    seconds = {}

    def spend(part, action, *arguments):
        began = time.perf_counter()
        result = action(*arguments)
        seconds[part] = seconds.get(part, 0.0) + time.perf_counter() - began
        return result

    connections = [Connection() for _ in range(CONNECTIONS)]
    first = connections[0].page(1)
    pages = json.loads(first)["pagination"]["total_pages"]
    # text takes less time and room in this storage version than in the oldest, DuckDB's default
    warehouse = duckdb.connect(
        "warehouse.duckdb", config={"storage_compatibility_version": "v1.3.0"}
    )
    # a checkpoint after every batch would double the time of the insert
    warehouse.execute("SET preserve_insertion_order = false; SET checkpoint_threshold = '1GB'")

    def pull(numbers):
        def every(share):
            return [connections[share].page(n) for n in numbers[share::CONNECTIONS]]

        with ThreadPoolExecutor(CONNECTIONS) as threads:
            return [page for share in threads.map(every, range(CONNECTIONS)) for page in share]

    def decode(bodies):
        # one page is one row; the block must hold the longest of them
        table = pj.read_json(
            pa.BufferReader(b"\n".join(bodies)),
            read_options=pj.ReadOptions(use_threads=False, block_size=1 << 24),
            parse_options=pj.ParseOptions(explicit_schema=PAGE, unexpected_field_behavior="ignore"),
        )
        orders = [chunk.flatten() for chunk in table["data"].chunks]
        return [dict(flatten(chunk)) for chunk in orders]

    def insert(batches):
        for batch in batches:
            for name, table in batch.items():
                warehouse.register("batch", table)
                warehouse.execute(f"CREATE TABLE IF NOT EXISTS {name} AS FROM batch LIMIT 0")
                warehouse.execute(f"INSERT INTO {name} FROM batch")

    for start in range(1, pages + 1, PAGES):
        bodies = spend("pull", pull, range(start, min(start + PAGES, pages + 1)))
        batches = spend("decode", decode, bodies)
        spend("insert", insert, batches)
    spend("insert", warehouse.close)
    json.dump(seconds, sys.stdout)


main()
