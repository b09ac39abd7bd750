"""The macro of the metrics, which is made of their definitions; `poe generate` makes it anew."""

import json
from collections.abc import Callable, Mapping

from wholesale_elt.figures import read_metrics
from wholesale_elt.models.project import project_folder

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


FILES: Mapping[str, Callable[[], str]] = {
    "macros/metric.sql": metrics,
}

if __name__ == "__main__":
    for name, make in FILES.items():
        (project_folder() / name).write_text(make(), "utf-8")
