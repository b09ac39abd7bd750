"""Tables of the READMEs that come from registries: the API's, and those of the dbt project.

`python -m support.documents.readme_tables` in the folder `tests` makes them anew.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefinedType

from support.documents.described import describe
from support.documents.readmes import fill
from support.paths import ROOT
from support.warehouses.tested import TESTED
from wholesale.api.assumptions import ASSUMPTIONS
from wholesale.api.endpoints import ENDPOINT, ENDPOINTS, Endpoint
from wholesale.api.facts import Assumption, Fact, Statement
from wholesale.api.personal import CLASS_OF_FIELD, CLASSES, IDENTIFYING
from wholesale.api.profile import ServiceFacts, ground_of
from wholesale.api.records import RECORDS, PersonalClass
from wholesale.api.resources import RESOURCES, Resource
from wholesale.privacy.policy import PROFILES, PrivacySettings
from wholesale.settings import ApiSettings
from wholesale.tables.shapes import shape_of
from wholesale_agents.settings import AgentSettings
from wholesale_books.handover.settings import ReceiverSettings
from wholesale_books.settings import BookSettings
from wholesale_elt.cli.output.endings import ENDINGS
from wholesale_elt.dashboard.settings import DashboardSettings
from wholesale_elt.models.contract import PUBLIC
from wholesale_elt.models.lineage import is_raw, read_lineage
from wholesale_elt.models.settings import ModelSettings
from wholesale_elt.monitoring.alerts import SEVERITIES
from wholesale_elt.monitoring.settings import MonitoringSettings
from wholesale_elt.monitoring.summary import (
    BuildSummary,
    PublishSummary,
    Summary,
    SyncSummary,
)
from wholesale_elt.monitoring.textfile import (
    OF_A_CERTIFICATE,
    OF_A_COMMAND,
    OF_A_RESOURCE,
    PREFIX,
)
from wholesale_elt.past.keeping import HistorySettings
from wholesale_elt.process.memory import MemorySettings
from wholesale_elt.warehouse import RAW_DATASET
from wholesale_elt.warehouse.guarantees import REFUSED
from wholesale_elt.warehouse.port import GUARANTEES
from wholesale_fleet.accounts import Account, Fleet
from wholesale_fleet.consolidation.reports import REMARKS
from wholesale_fleet.consolidation.summary import Consolidation
from wholesale_fleet.consolidation.tables import INCLUDED_TABLES
from wholesale_fleet.summary import AccountSummary, FleetSummary
from wholesale_letters.settings import LetterSettings
from wholesale_lineage.settings import OpenLineageSettings, TelemetrySettings
from wholesale_lineage.telemetry import COUNTERS
from wholesale_sandbox.faults.scenarios import SCENARIOS
from wholesale_spreadsheets.settings import SpreadsheetSettings

MODELS = ROOT / "sql/models"
VARIABLES = yaml.safe_load((ROOT / "sql/dbt_project.yml").read_text("utf-8"))["vars"]
SUMMARIES: Mapping[str, type[BaseModel]] = {
    "": Summary,
    "sync.": SyncSummary,
    "build.": BuildSummary,
    "publish.": PublishSummary,
}
DOC = re.compile(r"{% docs (\w+) %}(.*?){% enddocs %}", re.DOTALL)
DOC_OF = re.compile(r"doc\('(\w+)'\)")

ASSUMED = "*"
"""Stands behind what the API description leaves open and this project assumes."""
LIMITS = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}


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


for _model in (
    ApiSettings,
    DashboardSettings,
    HistorySettings,
    MemorySettings,
    ModelSettings,
    ServiceFacts,
):
    describe(_model)


def assumption_table() -> str:
    """What the extractor assumes, one row each; no value where nothing but a text can say it."""
    return _table(
        ("Assumption", "Value", "§", "Meaning"),
        map(_assumption, ASSUMPTIONS),
    )


def profile_table() -> str:
    """The facts of a service, one a row."""

    def row(name: str, field: FieldInfo) -> tuple[str, ...]:
        ground = ground_of(name)
        default = str(field.default) if field.default not in (None, frozenset()) else ""
        default = default.lower() if isinstance(field.default, bool) else default
        origin = "documented" if ground.is_documented else "assumed"
        meaning = " ".join(str(field.description).split())
        return f"`{name}`", ground.section, default, origin, meaning

    return _table(
        ("Setting", "§", "Default", "Origin of the default", "Meaning"),
        (row(name, field) for name, field in ServiceFacts.model_fields.items()),
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


def destination_table() -> str:
    """The destinations that are exact, one a row."""
    return _table(
        ("`--destination`", "What it is", "Settings", "Guarantees"),
        (
            (f"`{name}`", entry.title, entry.settings, _all_or(entry.guarantees))
            for name, entry in TESTED.items()
        ),
    )


def guarantee_table() -> str:
    """What a destination guarantees, one a row."""
    return _table(("Guarantee", "Meaning"), GUARANTEES.items())


def refused_table() -> str:
    """The names that are refused, one a row."""
    return _table(
        ("Name in dlt", "Why"), ((f"`{name}`", reason) for name, reason in REFUSED.items())
    )


def ending_table() -> str:
    """The ways in which a command ends, one a row."""
    return _table(
        ("Exit code", "What happened", "What to do"),
        ((str(ending.exit.value), ending.when, ending.then) for ending in ENDINGS.values()),
    )


def summary_table() -> str:
    """The fields of the document that `--json` prints, those of its parts behind their names."""
    rows = [
        (f"`{prefix}{name}`", str(field.description))
        for prefix, model in SUMMARIES.items()
        for name, field in model.model_fields.items()
    ]
    return _table(("Field", "Meaning"), rows)


def sinks_table() -> str:
    """The settings of all sinks of section `monitoring`, one a row."""
    fields: dict[str, FieldInfo] = {}
    for model in (OpenLineageSettings, TelemetrySettings):
        fields |= model.model_fields
    return _settings_table({name: field for name, field in fields.items() if field.description})


def settings_table(model: type[BaseModel], without: Container[str] = ()) -> str:
    """The settings of a section, one a row; one without a default is required, or not set."""
    fields = model.model_fields.items()
    return _settings_table({name: field for name, field in fields if name not in without})


def _settings_table(fields: Mapping[str, FieldInfo]) -> str:
    return _table(
        ("Setting", "Default", "Range", "Meaning"),
        (
            (f"`{name}`", _default(name, field), range_of(field), _sentence(field))
            for name, field in fields.items()
        ),
    )


def _sentence(field: FieldInfo) -> str:
    text = " ".join(str(field.description).split())
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _default(name: str, field: FieldInfo) -> str:
    """The default of a setting as a person would write it; models have theirs in the project."""
    default = VARIABLES.get(name) if field.default is None else field.default
    match default:
        case None | PydanticUndefinedType():
            return ""
        case list() | tuple():
            return ", ".join(f"`{entry}`" for entry in default)
        case bool():
            return f"`{str(default).lower()}`"
    return f"`{default}`".replace(".0`", "`")


def range_of(field: FieldInfo) -> str:
    """What a number may be, as a table of settings tells it."""
    return ", ".join(
        f"{words} {getattr(rule, name):,}".removesuffix(".0")
        for rule in field.metadata
        for name, words in LIMITS.items()
        if hasattr(rule, name)
    )


def class_table() -> str:
    """The classes of personal data, one a row, with their fields and what profiles do."""

    def row(class_: Any, meaning: str) -> tuple[str, ...]:
        fields = sorted(
            f"`{table}.{name}`"
            for table, found in CLASS_OF_FIELD.items()
            for name, of in found.items()
            if of == class_
        )
        said = (profile.get(class_, "keep") for profile in PROFILES.values())
        return f"`{class_}`", meaning, *said, ", ".join(fields)

    return _table(
        ("Class", "What it is", *(f"`{name}`" for name in PROFILES), "Columns"),
        (row(class_, meaning) for class_, meaning in CLASSES.items()),
    )


def raw_column_table() -> str:
    """The columns of the raw tables, one a row, with where each arrives."""

    def row(table: str, name: str, class_: PersonalClass | None) -> tuple[str, str]:
        found = arrivals().get(f"{RAW_DATASET}.{table}.{name}", ())
        if not found:
            whose = "personal" if class_ in IDENTIFYING else "may be personal"
            return f"`{table}.{name}`", f"{whose} (`{class_}`): left out"
        nearest = found[0].partition(".")[2]
        is_allowed = ", where `privacy.published` names it" if class_ in IDENTIFYING else ""
        return f"`{table}.{name}`", f"`{nearest}`{is_allowed}"

    rows = (
        row(table, name, class_)
        for table, fields in CLASS_OF_FIELD.items()
        for name, class_ in fields.items()
    )
    return _table(("Raw column", "Arrives in"), rows)


COMPARED = "wholesale_bi.rpt_events"
"""It compares all columns of orders, and says only whether one differs."""


@cache
def arrivals() -> Mapping[str, Sequence[str]]:
    """By raw column, the published columns that are made of it: those made of the fewest columns
    first, marts before reports."""
    lineage = read_lineage()
    found: dict[str, list[tuple[int, bool, str]]] = {}
    for table, model in lineage.models.items():
        schema = table.partition(".")[0].removeprefix("wholesale_")
        for column in model.columns if schema in PUBLIC and table != COMPARED else ():
            behind = lineage.behind(table, column)
            for name in filter(is_raw, behind):
                place = (len(behind), schema != "marts", f"{table}.{column}")
                found.setdefault(name, []).append(place)
    return {name: [column for *_, column in sorted(of)] for name, of in found.items()}


def severity_table() -> str:
    """What is told of, one a row, the worst first."""
    return _table(("Severity", "When"), ((f"`{name}`", when) for name, when in SEVERITIES.items()))


def metric_file_table() -> str:
    """The metrics of the textfile, one a row."""
    kinds = (("command", OF_A_COMMAND), ("resource", OF_A_RESOURCE), ("resource", OF_A_CERTIFICATE))
    return _table(
        ("Gauge", "Labels", "Meaning"),
        (
            (f"`{PREFIX}{name}`", f"`{kind}`, `warehouse`", metric.meaning)
            for kind, metrics in kinds
            for name, metric in metrics.items()
        ),
    )


def counter_table() -> str:
    """The counters of telemetry, one a row."""
    return _table(("Counter", "Meaning"), ((f"`{name}`", text) for name, text in COUNTERS.items()))


def _all_or(guarantees: tuple[str, ...]) -> str:
    return "all" if guarantees == tuple(GUARANTEES) else ", ".join(guarantees)


def account_table() -> str:
    """The settings of a fleet and of an account, one a row."""
    return _table(
        ("Setting", "Default", "Range", "Meaning"),
        (
            (
                f"`{name}`",
                str(field.default or "").removesuffix(".0"),
                range_of(field),
                field.description,
            )
            for model in (Fleet, Account)
            for name, field in model.model_fields.items()
            if field.description
        ),
    )


def fleet_table() -> str:
    """The fields of the document that `--json` prints for several accounts."""
    return _fields(FleetSummary)


def outcome_table() -> str:
    """The fields of an account in that document."""
    return _fields(AccountSummary)


def scenario_table() -> str:
    """The scenarios of the sandbox, one a row."""
    return _table(
        ("`--scenario`", "What happens", "A lossless extractor must end with"),
        ((f"`{scenario.name}`", scenario.does, scenario.ends) for scenario in SCENARIOS),
    )


def consolidation_table() -> str:
    """The fields of a fleet's publication in that document."""
    return _fields(Consolidation)


def taken_table() -> str:
    """The tables of accounts that stand in a fleet, one a row."""
    return _table(
        ("Table", "Why it is taken"),
        ((f"`{key}`", taken.reason) for key, taken in INCLUDED_TABLES.items()),
    )


def remark_table() -> str:
    """The tables of a fleet's own, one a row."""
    return _table(("Table", "What is in it"), ((f"`{name}`", at) for name, at in REMARKS.items()))


def _fields(model: type[BaseModel]) -> str:
    rows = ((f"`{name}`", str(field.description)) for name, field in model.model_fields.items())
    return _table(("Field", "Meaning"), rows)


FILES: Mapping[Path, Mapping[str, Callable[[], str]]] = {
    ROOT / "pipelines/wholesale_elt/SETTINGS.md": {
        "source": partial(settings_table, ApiSettings, {"service"}),
        "service": profile_table,
        "build": partial(settings_table, ModelSettings),
        "privacy": partial(settings_table, PrivacySettings),
        "dashboard": partial(settings_table, DashboardSettings),
        "monitoring": partial(settings_table, MonitoringSettings),
        "memory": partial(settings_table, MemorySettings),
    },
    ROOT / "sources/wholesale/api/README.md": {
        "resources": resource_table,
        "endpoints": endpoint_table,
        "assumptions": assumption_table,
    },
    ROOT / "sources/wholesale_sandbox/README.md": {"scenarios": scenario_table},
    ROOT / "sources/wholesale/privacy/README.md": {
        "classes": class_table,
    },
    ROOT / "pipelines/wholesale_elt/cli/README.md": {"endings": ending_table},
    ROOT / "pipelines/wholesale_fleet/consolidation/README.md": {
        "taken": taken_table,
        "tables": remark_table,
        "consolidation": consolidation_table,
    },
    ROOT / "pipelines/wholesale_fleet/README.md": {
        "account": account_table,
        "fleet": fleet_table,
        "outcome": outcome_table,
    },
    ROOT / "pipelines/wholesale_elt/monitoring/README.md": {
        "severities": severity_table,
        "metrics": metric_file_table,
        "summary": summary_table,
    },
    ROOT / "pipelines/wholesale_lineage/README.md": {
        "settings": sinks_table,
        "counters": counter_table,
    },
    ROOT / "pipelines/wholesale_agents/README.md": {
        "settings": partial(settings_table, AgentSettings),
    },
    ROOT / "pipelines/wholesale_books/README.md": {
        "settings": partial(settings_table, BookSettings),
        "hand_over": partial(settings_table, ReceiverSettings),
    },
    ROOT / "pipelines/wholesale_letters/README.md": {
        "settings": partial(settings_table, LetterSettings),
    },
    ROOT / "pipelines/wholesale_spreadsheets/README.md": {
        "settings": partial(settings_table, SpreadsheetSettings),
    },
    ROOT / "pipelines/wholesale_elt/warehouse/README.md": {
        "destinations": destination_table,
        "guarantees": guarantee_table,
        "refused": refused_table,
    },
    ROOT / "sql/README.md": {
        "marts": mart_table,
        "reports": report_table,
        "metrics": metric_table,
    },
    ROOT / "sql/RAW_COLUMNS.md": {"columns": raw_column_table},
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
    by_path = resource.parent and resource.parent.column
    documented = sum(
        1
        for mapping in shape.mappings
        if mapping.section == resource.section or (mapping.section and mapping.column != by_path)
    )
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
