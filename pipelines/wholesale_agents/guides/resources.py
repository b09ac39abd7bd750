"""Resources: what there is to know before a question: how far to trust it, words, tables."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mcp.server.mcpserver.resources import FunctionResource, Resource
from pydantic_core import to_json

from wholesale_agents.version import PublishedVersion, version_in_force
from wholesale_elt.figures import read_facts, read_metrics

SCHEME = "wholesale://"
Told = Mapping[str, Any]


def resources(published: Path) -> Sequence[Resource]:
    """Each is read anew, of the version that is then in force."""

    def resource(name: str, meaning: str, read: Callable[[PublishedVersion], Told]) -> Resource:
        return FunctionResource(
            uri=f"{SCHEME}{name}",
            name=name,
            title=name.capitalize(),
            description=meaning,
            mime_type="application/json",
            fn=lambda: to_json(read(version_in_force(published)), indent=2, fallback=str).decode(),
        )

    return [
        resource("version", "Which version answers, as of when, whether it is complete.", about),
        resource("metrics", "Each metric: what it means, its unit and its dimensions.", metrics),
        resource("terms", "What people call a metric or a dimension, and what that means.", terms),
        resource("tables", "Each report and table, and the question that it answers.", tables),
    ]


def about(version: PublishedVersion) -> Told:
    return version.about


def metrics(version: PublishedVersion) -> Told:
    facts = read_facts()
    return {
        name: {
            "label": metric.label,
            "meaning": metric.plain,
            "unit": metric.unit,
            "dimensions": list(facts[metric.model].dimensions),
        }
        for name, metric in read_metrics().items()
        if metric.model in version.tables
    }


def terms(version: PublishedVersion) -> Told:
    facts = [fact for table, fact in read_facts().items() if table in version.tables]
    dimensions = {each.name: each for fact in facts for each in fact.dimensions.values()}
    return {
        "metrics": {
            name: [metric.label, *metric.words]
            for name, metric in read_metrics().items()
            if metric.model in version.tables
        },
        "dimensions": {
            name: {
                "meaning": each.meaning,
                "called": [word.replace("_", " ") for word in each.synonyms],
            }
            for name, each in dimensions.items()
        },
    }


def tables(version: PublishedVersion) -> Told:
    return {name: table.question for name, table in version.tables.items()}
