"""Compilation: the SQL of all models and tests, as dbt writes it for this warehouse."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from wholesale_elt.models.mark import Check, Mark, Model
from wholesale_elt.models.project import compile_project
from wholesale_elt.warehouse import RAW_DATASET, Raw, Warehouse

INPUTS = "analysis.wholesale.inputs"
"""The SQL of the view that tells what a build is made from."""
MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class Compilation:
    """What a build by the SQL alone takes: the `mark` that it leaves, without what it was made from
    and found; the SQL of the view `inputs`; and dbt's `manifest.json`."""

    mark: Mark
    inputs: str
    manifest: bytes


class _Config(msgspec.Struct):
    materialized: str
    schema: str | None
    severity: str = "ERROR"


class _DependsOn(msgspec.Struct):
    nodes: Sequence[str] = ()


class _Contract(msgspec.Struct):
    enforced: bool


class _Column(msgspec.Struct):
    data_type: str | None


class _Node(msgspec.Struct):
    """As much as is read of a node of dbt's, a model or a test among others."""

    unique_id: str
    name: str
    resource_type: str
    config: _Config
    depends_on: _DependsOn
    contract: _Contract
    columns: Mapping[str, _Column]
    compiled_code: str | None = None


class _Manifest(msgspec.Struct):
    """As much of dbt's as is read."""

    nodes: Mapping[str, _Node]


_kept: dict[tuple[str, ...], Compilation] = {}


def compiled(warehouse: Warehouse, key: str) -> Compilation:
    """The project compiled for the raw tables as they are; once a process for equal ones.

    Raises: NotCompiled, NotLoaded.
    """
    with warehouse.open() as raw:
        made_for = (key, warehouse.port.dbt_profile()["WHOLESALE_TARGET"], _raw_columns(raw))
    if made_for not in _kept:
        if len(_kept) == MOST_KEPT:
            _kept.clear()
        _kept[made_for] = _compilation(key, compile_project(warehouse))
    return _kept[made_for]


def mark_of(key: str, inputs: Mapping[str, str | None], results: Sequence[Any]) -> Mark:
    """That of a build by dbt with these results."""
    found = {result.node.unique_id: result.failures or 0 for result in results}
    nodes = [result.node.to_dict(omit_none=False) for result in results]
    models, checks = _read_nodes(msgspec.convert(nodes, list[_Node]), found)
    return Mark(key, True, inputs, models, checks)


def _compilation(key: str, manifest: bytes) -> Compilation:
    nodes = msgspec.json.decode(manifest, type=_Manifest).nodes
    models, checks = _read_nodes(nodes.values(), {})
    inputs = str(nodes[INPUTS].compiled_code)
    return Compilation(Mark(key, False, {}, models, checks), inputs, manifest)


def _read_nodes(
    nodes: Iterable[_Node], found: Mapping[str, int]
) -> tuple[Mapping[str, Model], Mapping[str, Check]]:
    """The models and tests among nodes of dbt, by name; tests that `found` rows by their ids."""
    models: dict[str, Model] = {}
    checks: dict[str, Check] = {}
    for node in nodes:
        parents = [name.rpartition(".")[2] for name in node.depends_on.nodes]
        sql, config = (node.compiled_code or "").strip(), node.config
        if node.resource_type == "model":
            columns = node.columns.items() if node.contract.enforced else ()
            contract = {name: str(column.data_type) for name, column in columns}
            models[node.name] = Model(
                node.unique_id, str(config.schema), config.materialized, parents, sql, contract
            )
        elif node.resource_type == "test":
            checks[node.name] = Check(
                node.unique_id, parents, sql, config.severity.lower(), found.get(node.unique_id, 0)
            )
    return models, checks


def _raw_columns(raw: Raw) -> str:
    """All that the SQL depends on in the warehouse, as a hash."""
    columns = raw.rows(
        "select table_name, column_name, data_type from information_schema.columns"
        f" where table_schema = '{RAW_DATASET}' order by all"
    )
    return sha256(repr(columns).encode()).hexdigest()
