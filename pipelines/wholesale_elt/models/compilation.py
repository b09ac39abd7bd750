"""Compilation: the SQL of all models and tests, as dbt compiles it for this warehouse.

It depends on the settings and on which raw tables exist. The package contains it for the default
settings and all tables that a sync makes, so that dbt need not run.
"""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from wholesale_elt.models.mark import CompiledModel, CompiledTest, Mark
from wholesale_elt.models.project import compile_project, project_variables
from wholesale_elt.warehouse import RAW_DATASET, Warehouse

PRECOMPILED = Path(__file__).with_name("manifest.json.gz")
"""dbt's manifest for a database `wholesale`, made by `poe generate`."""
MADE_FOR = "made_for"
"""The environment variable in the manifest with the key that it was compiled for."""

INPUTS = "analysis.wholesale.inputs"
"""The node of the view with what a build is made from."""
MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class Compilation:
    """What a build without dbt needs: the `mark`, still without inputs and test results; the SQL of
    the view `inputs`; and dbt's `manifest.json`."""

    mark: Mark
    inputs: str
    manifest: bytes


class _Config(msgspec.Struct):
    materialized: str
    schema: str | None
    severity: str = "ERROR"
    meta: Mapping[str, Any] = {}


class _DependsOn(msgspec.Struct):
    nodes: Sequence[str] = ()


class _Contract(msgspec.Struct):
    enforced: bool


class _Column(msgspec.Struct):
    data_type: str | None


class _Node(msgspec.Struct):
    """The fields that are read of a node of dbt, such as a model or a test."""

    unique_id: str
    name: str
    resource_type: str
    config: _Config
    depends_on: _DependsOn
    contract: _Contract
    columns: Mapping[str, _Column]
    compiled_code: str | None = None


class _Metadata(msgspec.Struct):
    dbt_version: str
    env: Mapping[str, str]


class _Manifest(msgspec.Struct):
    """The fields that are read of dbt's manifest."""

    metadata: _Metadata
    nodes: Mapping[str, _Node]


_kept: dict[tuple[str, str], Compilation] = {}


def compiled(warehouse: Warehouse, key: str) -> Compilation:
    """The project compiled for the present raw tables, cached for equal ones.

    Raises: NotCompiled, NotLoaded.
    """
    made_for = compiled_for(warehouse)
    if (key, made_for) not in _kept:
        if len(_kept) == MOST_KEPT:
            _kept.clear()
        manifest = _precompiled(made_for) or compile_project(warehouse)
        _kept[key, made_for] = _compilation(key, manifest)
    return _kept[key, made_for]


def compiled_for(warehouse: Warehouse) -> str:
    """A hash of everything that the SQL for DuckDB depends on.

    Raises: ConfigurationError if a setting cannot be right; NotLoaded.
    """
    with warehouse.open(is_read_only=True) as raw:
        tables = raw.rows(
            "select table_name from information_schema.tables"
            f" where table_schema = '{RAW_DATASET}' and table_name not like '\\_dlt%' escape '\\'"
            " order by table_name"
        )
    depends_on = [sorted(project_variables().items()), tables]
    return sha256(json.dumps(depends_on).encode()).hexdigest()


def mark_of(key: str, inputs: Mapping[str, str | None], results: Sequence[Any]) -> Mark:
    """The mark of a build by dbt with these results."""
    found = {result.node.unique_id: result.failures or 0 for result in results}
    nodes = [
        result.node.to_dict(omit_none=False)
        for result in results
        if result.node.resource_type in ("model", "test")
    ]
    models, checks = _read_nodes(msgspec.convert(nodes, list[_Node]), found)
    return Mark(key, version("dbt-core"), True, inputs, models, checks)


def _precompiled(made_for: str) -> bytes | None:
    manifest = gzip.decompress(PRECOMPILED.read_bytes())
    metadata = msgspec.json.decode(manifest, type=_Manifest).metadata
    return manifest if metadata.env.get(MADE_FOR) == made_for else None


def _compilation(key: str, content: bytes) -> Compilation:
    manifest = msgspec.json.decode(content, type=_Manifest)
    models, checks = _read_nodes(manifest.nodes.values(), {})
    inputs = str(manifest.nodes[INPUTS].compiled_code)
    mark = Mark(key, manifest.metadata.dbt_version, False, {}, models, checks)
    return Compilation(mark, inputs, content)


def _read_nodes(
    nodes: Iterable[_Node], found: Mapping[str, int]
) -> tuple[Mapping[str, CompiledModel], Mapping[str, CompiledTest]]:
    """The models and tests among nodes of dbt, by name; `found` are rows found by test id."""
    models: dict[str, CompiledModel] = {}
    checks: dict[str, CompiledTest] = {}
    for node in nodes:
        parents = [name.rpartition(".")[2] for name in node.depends_on.nodes]
        sql, config = (node.compiled_code or "").strip(), node.config
        if node.resource_type == "model":
            columns = node.columns.items() if node.contract.enforced else ()
            contract = {name: str(column.data_type) for name, column in columns}
            models[node.name] = CompiledModel(
                node.unique_id,
                str(config.schema),
                config.materialized,
                parents,
                sql,
                contract,
                is_by_order=config.meta.get("is_by_order", False),
            )
        elif node.resource_type == "test":
            checks[node.name] = CompiledTest(
                node.unique_id, parents, sql, config.severity.lower(), found.get(node.unique_id, 0)
            )
    return models, checks
