"""Tables of the READMEs that come from registries: the API's, and those of the dbt project.

`python -m support.documents.readme_tables` in the folder `tests` makes them anew.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from support.documents.readmes import fill
from support.paths import ROOT
from wholesale.api.assumptions import ASSUMPTIONS
from wholesale.api.endpoints import ENDPOINT, ENDPOINTS, Endpoint
from wholesale.api.facts import Assumption, Fact, Statement
from wholesale.api.records import RECORDS
from wholesale.api.resources import RESOURCES, Resource
from wholesale.tables.shapes import shape_of

MODELS = ROOT / "sql/models"
DOC = re.compile(r"{% docs (\w+) %}(.*?){% enddocs %}", re.DOTALL)
DOC_OF = re.compile(r"doc\('(\w+)'\)")

ASSUMED = "*"
"""Stands behind what the API description leaves open and this project assumes."""


def endpoint_table() -> str:
    """All endpoints, one a row."""
    return _table(
        ("Name", "Call", "§", "Success", "Documented errors", "Body under"), map(_row, ENDPOINTS)
    )


def resource_table() -> str:
    """All readable resources, one a row."""
    return _table(
        ("Table", "Read from", "§ of record", "Fields", "Pages", "Version", "Child tables"),
        map(_resource, RESOURCES),
    )


def assumption_table() -> str:
    """What the extractor assumes, one row each; no value where nothing but a text can say it."""
    return _table(
        ("Assumption", "Value", "§", "Meaning"),
        map(_assumption, ASSUMPTIONS),
    )


def mart_table() -> str:
    """The tables for analysts, one a row."""
    return _table(("Table", "What is in it"), _models("marts"))


def report_table() -> str:
    """The tables for dashboards, one a row."""
    return _table(("Report", "Question, and what a row is"), _models("bi"))


def metric_table() -> str:
    """The metrics, one a row."""
    meanings = dict(DOC.findall((MODELS / "columns.md").read_text("utf-8")))

    def row(metric: Any) -> tuple[str, ...]:
        [doc] = DOC_OF.findall(metric["description"])
        return f"`{metric['name']}`", metric["label"], meanings[doc]

    return _table(("Metric", "Called", "Meaning"), map(row, _definitions("metrics", "marts")))


FILES: Mapping[Path, Mapping[str, Callable[[], str]]] = {
    ROOT / "sources/wholesale/api/README.md": {
        "resources": resource_table,
        "endpoints": endpoint_table,
        "assumptions": assumption_table,
    },
    ROOT / "sql/README.md": {
        "marts": mart_table,
        "reports": report_table,
        "metrics": metric_table,
    },
}


def made(path: Path) -> str:
    """The text of a file with its tables made anew."""
    return fill(path.read_text("utf-8"), {name: table() for name, table in FILES[path].items()})


def _models(layer: str) -> Iterator[tuple[str, str]]:
    for model in sorted(_definitions("models", layer), key=lambda model: model["name"]):
        yield f"`{model['name']}`", " ".join(model["description"].split())


def _definitions(section: str, layer: str) -> Iterator[Any]:
    """What the YAML files of a layer define in this section."""
    for path in sorted((MODELS / layer).glob("*.yml")):
        yield from yaml.safe_load(path.read_text("utf-8")).get(section) or ()


def _row(endpoint: Endpoint) -> tuple[str, ...]:
    return (
        f"`{endpoint.name}`",
        f"`{endpoint.method} {endpoint.path}`",
        endpoint.section,
        _cell(endpoint.success),
        ", ".join(map(str, endpoint.errors)),
        f"`{endpoint.wrapper.value}`{_mark(endpoint.wrapper)}" if endpoint.wrapper else "",
    )


def _resource(resource: Resource) -> tuple[str, ...]:
    shape = shape_of(resource)
    documented = sum(mapping.section is not None for mapping in shape.mappings)
    return (
        f"`{resource.name}`",
        f"`{ENDPOINT[resource.list_endpoint].path}`",
        RECORDS[resource.record].section,
        f"{documented} ({resource.fields.value})",
        ("yes" if resource.is_paged.value else "no") + _mark(resource.is_paged),
        (f"`{resource.version.value}`" if resource.version.value else "none")
        + _mark(resource.version),
        ", ".join(f"`{child.table}`" for child in shape.children),
    )


def _assumption(assumption: Assumption[Any] | Statement) -> tuple[str, ...]:
    value = str(assumption.value) if isinstance(assumption, Assumption) else ""
    return f"`{assumption.name}`", value, assumption.section, assumption.meaning


def _cell(fact: Fact[int]) -> str:
    return f"{fact.value}{_mark(fact)}"


def _mark(fact: Fact[str] | Fact[int] | Fact[bool] | Fact[str | None]) -> str:
    return "" if fact.is_documented else ASSUMED


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    for path in FILES:
        path.write_text(made(path), "utf-8")
