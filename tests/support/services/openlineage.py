"""OpenLineage: events read as the classes of the standard's own client have them."""

import types
import typing
from typing import Any

import attr
from openlineage.client import event_v2, facet_v2

CLASSES: dict[str, Any] = {
    "columnLineage": facet_v2.column_lineage_dataset.ColumnLineageDatasetFacet,
    "dataQualityAssertions": (
        facet_v2.data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet
    ),
    "errorMessage": facet_v2.error_message_run.ErrorMessageRunFacet,
    "jobType": facet_v2.job_type_job.JobTypeJobFacet,
    "parent": facet_v2.parent_run.ParentRunFacet,
    "schema": facet_v2.schema_dataset.SchemaDatasetFacet,
    "version": facet_v2.dataset_version_dataset.DatasetVersionDatasetFacet,
}
OWN = "wholesale_certificate"
"""What no class is for: it has a JSON schema of its own."""


def check(event: dict[str, Any]) -> None:
    """Raises: TypeError for a name that the standard has not, or one that lacks; ValueError."""
    told = dict(event)
    assert told.pop("schemaURL") == event_v2.RunEvent._get_schema()
    read = _read(event_v2.RunEvent, told)
    assert read.eventType.value == event["eventType"]
    for holder in (event["run"], event["job"], *event["inputs"], *event["outputs"]):
        for name, facet in _facets(holder):
            if name != OWN:
                told = {key: value for key, value in facet.items() if not key.startswith("_")}
                assert facet["_schemaURL"] == CLASSES[name]._get_schema()
                _read(CLASSES[name], told)


def _facets(holder: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [*holder.get("facets", {}).items(), *holder.get("inputFacets", {}).items()]


def _read(type_: Any, value: Any) -> Any:
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        [type_] = [of for of in arguments if of is not type(None)][:1]
        return _read(type_, value)
    if origin is list:
        return [_read(arguments[0], entry) for entry in value]
    if origin is dict:
        return (
            value if arguments[1] is Any else {k: _read(arguments[1], v) for k, v in value.items()}
        )
    if attr.has(type_):
        hints = typing.get_type_hints(type_)
        known = {of.name: hints[of.name] for of in attr.fields(type_) if of.init}
        unknown = value.keys() - known.keys()
        if unknown:
            raise TypeError(f"{type_.__name__} has no {', '.join(sorted(unknown))}")
        facets = {"facets", "inputFacets", "outputFacets"}
        return type_(**{k: v if k in facets else _read(known[k], v) for k, v in value.items()})
    if isinstance(type_, type) and not isinstance(value, type_):
        return type_(value)
    return value
