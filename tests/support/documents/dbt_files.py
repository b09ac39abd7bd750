"""Files of the dbt project that are made from others: raw tables, metrics, the dashboard.

`poe generate` makes them anew.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

import pyarrow as pa

from wholesale.api.resources import RESOURCES, Resource
from wholesale.tables.quarantine import QUARANTINE, QUARANTINE_SCHEMA
from wholesale.tables.shapes import VALID_FROM, VALID_TO, TableShape, shape_of
from wholesale_elt.dashboard.pages import PAGES, Page
from wholesale_elt.figures import read_metrics
from wholesale_elt.load.observations import OBSERVED_AT, WATCHED, columns_in_log, log_of
from wholesale_elt.models.project import project_folder
from wholesale_elt.models.raw_tables import EXTRA
from wholesale_elt.past.kinds import Side, conditions, is_content, kind_of
from wholesale_elt.past.tables import past_of
from wholesale_elt.runs import certificate
from wholesale_elt.warehouse.raw import CERTIFICATES, RAW_DATASET

SOURCES_HEAD = f"""\
# Made by `poe generate`: edit sources/wholesale/api/records.py, not this file.
sources:
  - name: {RAW_DATASET}
    schema: {RAW_DATASET}
    description: What `wholesale sync` loaded, a table a resource or child list, in the API's names.
    tables:
"""
DBT_TYPE: Mapping[pa.DataType, str] = {
    pa.string(): "text",
    pa.int64(): "bigint",
    pa.bool_(): "boolean",
    pa.timestamp("us", "UTC"): "timestamptz",
    pa.decimal128(38, 9): "decimal(38, 9)",
}
"""Names of the types that DuckDB and PostgreSQL both understand."""
EXTRAS = (
    ("table_name", "text", "The raw table of the record."),
    ("record_id", "text", "Its id."),
    ("field_name", "text", "The name of the field."),
    ("field_value", "text", "Its value as text."),
)
IN_TIME = ("orders", "orders__order_line_items")
"""Raw tables of which models read the past, too."""
SINCE = ((VALID_FROM, "timestamptz", "When the sync began that brought the row as it is (UTC)."),)
UNTIL = (VALID_TO, "timestamptz", "When the sync began that replaced the row (UTC).")
JSON_TYPES = frozenset({"json", "texts"})
OURS: Mapping[str, str] = {
    "_extra": "JSON of values that did not fit their column, and of fields without one.",
    "_deleted_at": "When the record was found to be gone (UTC); NULL while it lives.",
}


def sources() -> str:
    """Every raw table and column with its type, meaning and §, from the records."""
    tables: list[str] = []
    for resource in RESOURCES:
        root = shape_of(resource)
        for shape in root.tables:
            columns = [*_columns(shape), *(SINCE if shape.table in IN_TIME else ())]
            tables.append(_table(shape.table, _about(shape, resource), columns))
            if shape.table in IN_TIME:
                about = f"Rows of `{shape.table}` as they were, one row a row that was replaced."
                tables.append(_table(past_of(shape.table), about, [*columns, UNTIL]))
        if resource.name in WATCHED:
            tables.append(_table(log_of(resource.name), _about_log(root), _log_columns(root)))
    tables.append(_table(EXTRA, "Values of the undocumented fields that a setting names.", EXTRAS))
    for name, about, schema in (
        (QUARANTINE, "Records that could not be loaded, one row a record.", QUARANTINE_SCHEMA),
        (
            CERTIFICATES,
            "The completeness certificate, one row a run and resource.",
            certificate.SCHEMA,
        ),
    ):
        tables.append(_table(name, about, ((f.name, DBT_TYPE[f.type], "") for f in schema)))
    return SOURCES_HEAD + "".join(tables)


def _about(shape: TableShape, resource: Resource) -> str:
    if shape.is_root:
        return f"{resource.name}, one row a record (§{resource.section})."
    return f"Entries of `{shape.field}`, keyed by {shape.parent_key} and {shape.number}."


def _about_log(root: TableShape) -> str:
    return f"What each sync saw of `{root.table}`, one row a record that was new, changed or gone."


def _log_columns(root: TableShape) -> Iterator[tuple[str, str, str]]:
    logged = columns_in_log(root)
    yield from (column for column in _columns(root) if column[0] in logged)
    yield OBSERVED_AT, "timestamptz", "When the sync wrote it (UTC)."


def _columns(shape: TableShape) -> Iterator[tuple[str, str, str]]:
    mappings = {mapping.column: mapping for mapping in shape.mappings}
    for field in shape.schema:
        type_ = DBT_TYPE[field.type]
        if mapping := mappings.get(field.name):
            type_ = "json" if mapping.type in JSON_TYPES else type_
            yield field.name, type_, f"{mapping.description} (§{mapping.section})".strip()
        elif field.name in OURS:
            yield field.name, type_, OURS[field.name]
        elif field.name in (shape.parent_key, shape.number):
            yield field.name, type_, "Key, from the record's place in its parent."


def _table(name: str, about: str, columns: Iterable[tuple[str, str, str]]) -> str:
    lines = [
        f"      - name: {name}",
        f"        description: {_text(about)}",
    ]
    lines.append("        columns:")
    for column, type_, meaning in columns:
        lines.append(f"          - name: {column}")
        lines.append(f"            data_type: {type_}")
        if meaning:
            lines.append(f"            description: {_text(meaning)}")
    return "\n".join(lines) + "\n"


METRICS = "models/marts/metrics.yml"
METRIC_HEAD = f"""\
{{# Made by `poe generate`: edit sql/{METRICS}, not this file. #}}

{{# The SQL of a metric over the rows of its semantic model. Only columns of that model may be in
reach: aggregate first, join afterwards. #}}
{{% macro metric(name) -%}}
    {{{{- {{
"""
METRIC_FOOT = """\
    }[name] -}}
{%- endmacro %}
"""


def metrics() -> str:
    """The definitions of the metrics as a macro; dbt shows them to no model that is unit tested."""
    sql: dict[str, str] = {}
    for metric in read_metrics().values():
        parts = [sql[name] for name in metric.parts or ()]
        sql[metric.name] = f"ratio({', '.join(parts)})" if parts else json.dumps(metric.expression)
    lines = [f"        {json.dumps(name)}: {expression},\n" for name, expression in sql.items()]
    return METRIC_HEAD + "".join(lines) + METRIC_FOOT


EVENTS_HEAD = """\
{# Made by `poe generate`: edit pipelines/wholesale_elt/past/kinds.py, not this file. #}

{# What became of an order, by the row `before` and the row `after`, which differ in anything. #}
{% macro event_kind(before, after, complete_as_of, has_other_state, has_other_content) -%}
    """
EVENTS_FOOT = """
{%- endmacro %}

{# Columns of a raw order that are more than a state and what goes with it. #}
{% macro order_contents() %}
    {{ return([
"""


def events() -> str:
    """The kinds of events as a macro."""
    before, after = (Side.of(f"{{{{ {name} }}}}") for name in ("before", "after"))
    kind = kind_of(
        conditions(
            *(before, after, "{{ complete_as_of }}"),
            has_other_state="{{ has_other_state }}",
            has_other_content="{{ has_other_content }}",
        )
    )
    for word, depth in (("when", 2), ("and", 3), ("then", 3), ("end", 1)):
        kind = kind.replace(f" {word}", f"\n{'    ' * depth}{word}")
    [orders] = [shape_of(resource) for resource in RESOURCES if resource.name == "orders"]
    names = [name for name in orders.schema.names if is_content(name) and name != "id"]
    listed = "".join(f"        {json.dumps(name)},\n" for name in names)
    return f"{EVENTS_HEAD}{kind}{EVENTS_FOOT}{listed}    ]) }}}}\n{{% endmacro %}}\n"


EXPOSURES_HEAD = """\
# Made by `poe generate`: edit pipelines/wholesale_elt/dashboard/pages.py, not this file.
exposures:
"""
OWNER = "wholesale-elt"


def exposures() -> str:
    """One exposure a page."""
    return EXPOSURES_HEAD + "".join(_exposure(page) for page in PAGES if page.models)


def _exposure(page: Page) -> str:
    lines = [
        f"  - name: dashboard_{page.name}",
        f"    label: {_text(f'Dashboard: {page.title}')}",
        "    type: dashboard",
        "    maturity: high",
        f"    description: {_text(page.question)}",
        "    owner:",
        f"      name: {OWNER}",
        "    depends_on:",
        *(f"      - ref('{model}')" for model in page.models),
    ]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


FILES: Mapping[str, Callable[[], str]] = {
    "models/staging/sources.yml": sources,
    "macros/events.sql": events,
    "macros/metric.sql": metrics,
    "models/exposures.yml": exposures,
}

if __name__ == "__main__":
    for name, make in FILES.items():
        (project_folder() / name).write_text(make(), "utf-8")
