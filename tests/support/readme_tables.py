"""The tables of README that come from the registries.

`python -m support.readme_tables README.md` makes them anew.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from wholesale.api.assumptions import ASSUMPTIONS
from wholesale.api.endpoints import ENDPOINT, ENDPOINTS, Endpoint
from wholesale.api.facts import Assumption, Fact, Statement
from wholesale.api.records import RECORDS
from wholesale.api.resources import RESOURCES, Resource
from wholesale.tables.shapes import shape_of

ASSUMED = "*"
"""Stands behind what the API description leaves open and this project assumes."""


def endpoint_table() -> str:
    """All endpoints, one a row."""
    return _table(
        ("Name", "Call", "§", "Success", "Documented errors", "Body under"), map(_row, ENDPOINTS)
    )


def resource_table() -> str:
    """All resources, one a row."""
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


TABLES: Mapping[str, Callable[[], str]] = {
    "endpoints": endpoint_table,
    "resources": resource_table,
    "assumptions": assumption_table,
}


def fill(text: str) -> str:
    """The text with every table between its `<!-- name -->` and `<!-- /name -->` made anew."""
    for name, table in TABLES.items():
        before, start, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not end:
            raise ValueError(f"the text has no place for the table {name}")
        text = f"{before}{start}{table()}\n{end}{after}"
    return text


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
    path = Path(sys.argv[1])
    path.write_text(fill(path.read_text("utf-8")), "utf-8")
