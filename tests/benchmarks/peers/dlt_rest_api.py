"""dlt's own `rest_api` source, declared as its documentation shows; `--cursor` adds its incremental
cursor on updated_at, which it applies to the records that it has received."""

import os
import sys

import dlt
from dlt.sources.rest_api import rest_api_source

orders = {
    "name": "orders",
    "primary_key": "id",
    "write_disposition": "merge",
    "endpoint": {
        "path": "orders",
        "params": {"verbose": "true", "limit": 100},
        "data_selector": "data",
        "paginator": {
            "type": "page_number",
            "base_page": 1,
            "page_param": "page",
            "total_path": "pagination.total_pages",
        },
    },
}
if "--cursor" in sys.argv:
    orders["endpoint"]["incremental"] = {"cursor_path": "updated_at"}

source = rest_api_source(
    {
        "client": {
            "base_url": os.environ["BENCHMARK_BASE_URL"] + "/",
            "auth": {
                "type": "api_key",
                "name": "X-API-Key",
                "api_key": os.environ["BENCHMARK_API_KEY"],
                "location": "header",
            },
        },
        "resources": [orders],
    }
)

pipeline = dlt.pipeline(
    "peer", destination=dlt.destinations.duckdb("warehouse.duckdb"), dataset_name="peer"
)
file_format = "parquet" if "--parquet" in sys.argv else None
pipeline.run(source, loader_file_format=file_format).raise_on_failed_jobs()
