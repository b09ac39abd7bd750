"""An Airbyte declarative source, read to standard output with the CDK's own command."""

import json
import os
import sys
from pathlib import Path

from airbyte_cdk.cli.source_declarative_manifest import run

Path("config.json").write_text(
    json.dumps(
        {
            "base_url": os.environ["BENCHMARK_BASE_URL"],
            "api_key": os.environ["BENCHMARK_API_KEY"],
        }
    )
)
Path("catalog.json").write_text(
    json.dumps(
        {
            "streams": [
                {
                    "stream": {
                        "name": "orders",
                        "json_schema": {},
                        "supported_sync_modes": ["full_refresh"],
                    },
                    "sync_mode": "full_refresh",
                    "destination_sync_mode": "overwrite",
                }
            ]
        }
    )
)
manifest = str(Path(__file__).with_name("airbyte_manifest.yaml"))
arguments = ["--config", "config.json", "--catalog", "catalog.json", "--manifest-path", manifest]
sys.argv[1:] = ["read", *arguments]
run()
