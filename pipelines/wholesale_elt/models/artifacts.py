"""Artifacts: files in dbt's formats, written after a build that dbt did not run itself."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

import msgspec

from wholesale_elt.models.execution import Ran
from wholesale_elt.models.mark import Mark
from wholesale_elt.models.project import target_folder
from wholesale_elt.process import replace
from wholesale_elt.warehouse import Warehouse

SCHEMA_OF_RESULTS = "https://schemas.getdbt.com/dbt/run-results/v6.json"


def write_results(warehouse: Warehouse, mark: Mark, ran: Sequence[Ran]) -> None:
    """Write `run_results.json`: an entry for each model that was made and each test that ran."""
    ids = {name: node.unique_id for name, node in mark.models.items()}
    ids |= {name: node.unique_id for name, node in mark.checks.items()}
    content = {
        "metadata": {
            "dbt_schema_version": SCHEMA_OF_RESULTS,
            "dbt_version": mark.dbt_version,
            "generated_at": _written(datetime.now(UTC)),
            "invocation_id": str(uuid4()),
            "invocation_started_at": _written(ran[0].began_at) if ran else None,
            "env": {},
        },
        "results": [_result(ids[entry.name], entry) for entry in ran],
        "elapsed_time": (ran[-1].ended_at - ran[0].began_at).total_seconds() if ran else 0.0,
        "args": {"which": "build"},
    }
    write_artifact(warehouse, "run_results.json", msgspec.json.encode(content))


def write_artifact(warehouse: Warehouse, name: str, content: bytes) -> None:
    """Write a file to the place where dbt writes it."""
    path = target_folder(warehouse, "build") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, lambda path: path.write_bytes(content))


def _result(unique_id: str, ran: Ran) -> dict[str, object]:
    return {
        "status": "success" if ran.failures is None else "warn" if ran.failures else "pass",
        "timing": [
            {
                "name": "execute",
                "started_at": _written(ran.began_at),
                "completed_at": _written(ran.ended_at),
            }
        ],
        "thread_id": "MainThread",
        "execution_time": (ran.ended_at - ran.began_at).total_seconds(),
        "adapter_response": {},
        "message": None,
        "failures": ran.failures,
        "unique_id": unique_id,
        "compiled": True,
        "compiled_code": None,
        "relation_name": None,
        "batch_results": None,
    }


def _written(moment: datetime) -> str:
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
