"""Macros made of definitions: of metrics, of kinds of events; `poe generate` makes them anew."""

import json
from collections.abc import Callable, Mapping

from wholesale.api import RESOURCES
from wholesale.tables import shape_of
from wholesale_elt.figures import read_metrics
from wholesale_elt.models.project import project_folder
from wholesale_elt.past import Side, conditions, is_content, kind_of

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


FILES: Mapping[str, Callable[[], str]] = {
    "macros/events.sql": events,
    "macros/metric.sql": metrics,
}

if __name__ == "__main__":
    for name, make in FILES.items():
        (project_folder() / name).write_text(make(), "utf-8")
