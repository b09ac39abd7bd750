"""What an expert writes who knows all of these libraries: eight connections of an asynchronous
client, pages decoded to exact types by Arrow's JSON reader as they come, and appended to DuckDB as
Arrow, in one transaction, on a thread beside the requests.
"""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import aiohttp
import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj
from warehouse import CHILDREN, FIELDS

CONNECTIONS = 8
PAGES = 20
"""Decoded and appended at a time."""
URL = os.environ["BENCHMARK_BASE_URL"] + "/orders"
HEADERS = {"X-API-Key": os.environ["BENCHMARK_API_KEY"]}
ARROW = {
    "VARCHAR": pa.string(),
    "BIGINT": pa.int64(),
    "DECIMAL(38, 9)": pa.decimal128(38, 9),
    "TIMESTAMPTZ": pa.timestamp("us", "UTC"),
}


def arrow(fields):
    return [pa.field(name, ARROW[type_]) for name, type_ in fields.items()]


ORDER = [
    *arrow(FIELDS),
    *(pa.field(child, pa.list_(pa.struct(arrow(fields)))) for child, fields in CHILDREN.items()),
]
PAGE = pa.schema(
    [
        pa.field("data", pa.list_(pa.struct(ORDER))),
        pa.field("pagination", pa.struct([pa.field("total_pages", pa.int64())])),
    ]
)


def tables(orders):
    yield "orders", pa.table({name: orders.field(name) for name in FIELDS})
    for child, fields in CHILDREN.items():
        lists = orders.field(child)
        entries, owners = lists.flatten(), pc.list_parent_indices(lists)
        before = pc.subtract(lists.offsets.take(owners), lists.offsets[0])
        places = pa.array(range(1, len(entries) + 1), pa.int64())
        columns = {name: entries.field(name) for name in fields}
        keys = {
            "order_id": orders.field("id").take(owners),
            "number": pc.subtract(places, before.cast(pa.int64())),
        }
        yield child, pa.table(keys | columns)


def load(warehouse, bodies):
    """Append these pages, and return how many there are."""
    text = b"\n".join(bodies)
    read = pj.read_json(
        pa.BufferReader(text),
        read_options=pj.ReadOptions(use_threads=False, block_size=len(text) + 1),
        parse_options=pj.ParseOptions(explicit_schema=PAGE, unexpected_field_behavior="ignore"),
    )
    for chunk in read["data"].chunks:
        for table, rows in tables(chunk.flatten()):  # noqa: B007 - DuckDB finds it
            warehouse.execute(f"CREATE TABLE IF NOT EXISTS {table} AS FROM rows LIMIT 0")
            warehouse.execute(f"INSERT INTO {table} FROM rows")
    return read["pagination"][0]["total_pages"].as_py()


async def fetch(warehouse):
    loop, waiting = asyncio.get_running_loop(), asyncio.Semaphore(2)

    async def page(number):
        params = {"verbose": "true", "limit": 100, "page": number}
        async with client.get(URL, params=params) as response:
            return await response.read()

    async def append(bodies):
        async with waiting:
            return await loop.run_in_executor(worker, load, warehouse, bodies)

    async def connection(numbers):
        bodies = []
        for number in numbers:
            bodies.append(await page(number))
            if len(bodies) == PAGES:
                await append(bodies)
                bodies = []
        if bodies:
            await append(bodies)

    limit = aiohttp.TCPConnector(limit=CONNECTIONS)
    with ThreadPoolExecutor(1) as worker:
        async with aiohttp.ClientSession(
            headers=HEADERS, connector=limit, raise_for_status=True
        ) as client:
            numbers = iter(range(2, await append([await page(1)]) + 1))
            async with asyncio.TaskGroup() as group:
                for _ in range(CONNECTIONS):
                    group.create_task(connection(numbers))


with duckdb.connect(
    "warehouse.duckdb", config={"storage_compatibility_version": "v1.3.0"}
) as connection:
    connection.execute("SET preserve_insertion_order = false; BEGIN")
    asyncio.run(fetch(connection))
    connection.execute("COMMIT")
