"""Compiled SQL: the models and tests of the dbt project as `wholesale build` runs them.

`poe generate` writes it anew. dbt compiles it without any database.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from wholesale_elt.models.project import INTERMEDIATE, TESTS, project_folder

ALL_DIALECTS, COLUMN, EACH = "all", "--   ", "each"

DIALECTS = ("duckdb", "postgres", "spark")
COMPILE = "from dbt.cli.main import cli; cli()"
OPTIONS = (
    *("--log-level", "none", "--log-level-file", "none", "--no-version-check"),
    *("--no-send-anonymous-usage-stats", "--no-partial-parse"),
    *("compile", "--no-introspect", "--no-populate-cache"),
)
SYNC_RUNS = "source.wholesale.wholesale_raw.sync_runs"
DIGESTED = re.compile(r"int_as_of|int_orders|int_service_checks|obs_\w+")
"""Models that read syncs, but of which the query `inputs` has a digest of what they take from them:
they are made anew when that changes."""


def compiled_files() -> dict[str, str]:
    """The content of each file by its path below `compiled`."""
    found = {dialect: dict(_files(nodes_of(dialect))) for dialect in DIALECTS}
    files = {"order.txt": "".join(f"{line}\n" for line in _order(nodes_of(DIALECTS[0])))}
    for place in found[DIALECTS[0]]:
        texts = {dialect: found[dialect][place] for dialect in DIALECTS}
        if len(set(texts.values())) == 1:
            files[f"{ALL_DIALECTS}/{place}"] = texts[DIALECTS[0]]
        else:
            files |= {f"{dialect}/{place}": text for dialect, text in texts.items()}
    return files


_compiled: dict[str, Mapping[str, Any]] = {}


def nodes_of(dialect: str) -> Mapping[str, Any]:
    """The models, tests and analyses with their compiled SQL, by the ids of dbt."""
    nodes: Mapping[str, Any] = _manifest(dialect)["nodes"]
    return nodes


def sources_of(dialect: str) -> Mapping[str, Any]:
    """The raw tables, in the same way."""
    sources: Mapping[str, Any] = _manifest(dialect)["sources"]
    return sources


def _manifest(dialect: str) -> Mapping[str, Any]:
    if dialect not in _compiled:
        project = str(project_folder())
        with tempfile.TemporaryDirectory() as target:
            subprocess.run(
                [
                    *(sys.executable, "-c", COMPILE, *OPTIONS),
                    *("--vars", json.dumps({"is_packaged": True})),
                    *("--project-dir", project, "--profiles-dir", project),
                    *("--target-path", target, "--log-path", target),
                ],
                check=True,
                env=os.environ | {"WHOLESALE_TARGET": dialect, "WHOLESALE_DATABASE": ":memory:"},
            )
            manifest = json.loads((Path(target) / "manifest.json").read_text("utf-8"))
        _compiled[dialect] = manifest
    return _compiled[dialect]


def _files(nodes: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for node in nodes.values():
        if node["resource_type"] == "analysis":
            ending = "txt" if node["name"] == "declared" else "sql"
            yield f"{node['name']}.{ending}", _tidy(node["compiled_code"])
        elif node["resource_type"] in ("model", "test"):
            head = [f"-- {_place(node)} ({_kind(node)})"]
            if _kind(node) == "append" or node["contract"]["enforced"]:
                head += [
                    f"{COLUMN}{name} {column['data_type']}"
                    for name, column in node["columns"].items()
                ]
            yield f"{_place(node)}.sql", "\n".join(head) + "\n" + _tidy(node["compiled_code"])


def _tidy(sql: str) -> str:
    """Without what Jinja leaves behind: blanks at the end of lines, several empty lines."""
    lines = "\n".join(line.rstrip() for line in sql.strip().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines) + "\n"


def _place(node: Mapping[str, Any]) -> str:
    layer = TESTS if node["resource_type"] == "test" else node["config"]["schema"]
    return f"{layer}/{node['name']}"


def _kind(node: Mapping[str, Any]) -> str:
    config = node["config"]
    return str(config["severity"].lower() if "severity" in config else config["materialized"])


def _order(nodes: Mapping[str, Any]) -> Iterator[str]:
    """The models, each after those that it reads, and then the tests."""
    parents = {
        name: sorted(node["depends_on"]["nodes"])
        for name, node in sorted(nodes.items())
        if node["resource_type"] in ("model", "test")
    }
    ordered = [name for name in TopologicalSorter(parents).static_order() if name in parents]
    ordered.sort(key=lambda name: nodes[name]["resource_type"])  # which leaves each kind in order
    each = _of_each_sync(ordered, nodes, parents)
    for name in ordered:
        yield f"{_place(nodes[name])} {_kind(nodes[name])}{f' {EACH}' if name in each else ''}"


def _of_each_sync(
    ordered: Iterable[str], nodes: Mapping[str, Any], parents: Mapping[str, list[str]]
) -> set[str]:
    """Tables that tell of the syncs, the tests that read them, and what both need besides tables in
    force."""
    below = {SYNC_RUNS}
    for name in ordered:
        if below & set(parents[name]) and not DIGESTED.fullmatch(nodes[name]["name"]):
            below.add(name)
    found = {name for name in below - {SYNC_RUNS} if _layer(nodes[name]) != "staging"}
    while True:
        needed = {
            parent
            for name in found
            for parent in parents[name]
            if parent in nodes and _layer(nodes[parent]) == INTERMEDIATE
        }
        if needed <= found:
            return found
        found |= needed


def _layer(node: Mapping[str, Any]) -> str:
    return _place(node).partition("/")[0]


def write() -> None:
    folder, files = project_folder() / "compiled", compiled_files()
    shutil.rmtree(folder, ignore_errors=True)
    for place, text in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, "utf-8")


if __name__ == "__main__":
    write()
