"""Manifest: the project as dbt compiles it for all that a sync makes, and settings as they are.

`poe generate` writes it anew, for each SQL the same bytes.
"""

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.models.compilation import MADE_FOR, PRECOMPILED, compiled_for
from wholesale_elt.models.execution import NOW
from wholesale_elt.models.project import compile_project, target_folder
from wholesale_elt.warehouse import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

TIMES = {"created_at", "generated_at", "invocation_started_at", "run_started_at"}
"""Of the process that compiled; columns of such a name have more to say than a time."""


def manifest() -> Any:
    """dbt's manifest, without what tells of the process and the place where it was made."""
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder) / "wholesale.duckdb")
        with Sandbox(SandboxSettings(orders=1)) as running:
            settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
            sync_resources(settings, warehouse, tuple(RESOURCE))
        content = compile_project(warehouse).decode()
        content = content.replace(str(target_folder(warehouse, "compile")), "target")
        found = _timeless(json.loads(NOW.sub("'1970-01-01 00:00:00+00:00' /* now */", content)))
        del found["metadata"]["invocation_id"]
        found["metadata"]["env"] = {MADE_FOR: compiled_for(warehouse)}
    return found


def _timeless(value: Any) -> Any:
    match value:
        case dict():
            return {
                name: _timeless(of)
                for name, of in value.items()
                if name not in TIMES or isinstance(of, dict)
            }
        case list():
            return [_timeless(of) for of in value]
    return value


def content() -> bytes:
    return gzip.compress(json.dumps(manifest()).encode(), mtime=0)


if __name__ == "__main__":
    PRECOMPILED.write_bytes(content())
