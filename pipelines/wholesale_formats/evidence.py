"""Evidence: a source on the published file, and a page of the months."""

from pathlib import PurePosixPath

from wholesale_elt.figures import Metric
from wholesale_formats.stars import Published, Star
from wholesale_formats.writing import Files, as_yaml, attached, by_month, label_of

FORMATS = {"amount": "#,##0.00", "count": "#,##0", "number": "#,##0.00", "share": "0.0%"}
SOURCE = PurePosixPath("sources/wholesale")


def files(published: Published) -> Files:
    dated = [star for star in published.stars if star.day]
    found = {
        str(SOURCE / "connection.yaml"): as_yaml(
            {"name": "wholesale", "type": "duckdb", "options": {"filename": ":memory:"}}
        ),
        str(SOURCE / "initialize.sql"): f"{attached(published)};\n",
        "pages/index.md": _page(dated, published),
    }
    for star in dated:
        found[str(SOURCE / f"{star.name}_by_month.sql")] = f"{by_month(star)}\n"
    return found


def _page(stars: list[Star], published: Published) -> str:
    parts = ["---\ntitle: Wholesale\n---\n"]
    for star in stars:
        table = f"{star.name}_by_month"
        parts.append(f"## {star.label}\n\n{star.description}\n")
        parts.append(f"```sql {table}\nselect * from wholesale.{table}\n```\n")
        amounts = [metric for metric in star.metrics if metric.unit == "amount"]
        first = (amounts or star.metrics)[0]
        parts.append(f"<LineChart data={{{table}}} x=month y={first.name} />\n")
        columns = "\n".join(_column(metric, published) for metric in star.metrics)
        parts.append(
            f"<DataTable data={{{table}}}>\n  <Column id=month />\n{columns}\n</DataTable>\n"
        )
    return "\n".join(parts)


def _column(metric: Metric, published: Published) -> str:
    title = label_of(metric, published.currency)
    return f'  <Column id={metric.name} title="{title}" fmt="{FORMATS[metric.unit]}" />'
