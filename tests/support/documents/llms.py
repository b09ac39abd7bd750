"""Index for language models: `llms.txt`, of what the project is, its commands, tables and chapters.

`poe generate` writes it anew. Its form is that of https://llmstxt.org.
"""

from collections.abc import Iterator

import click

from support.commands import COMMANDS
from support.paths import ROOT
from wholesale.api import ENDPOINT, RESOURCE
from wholesale_elt.cli.main import cli
from wholesale_elt.models.descriptions import described, in_one_line, models_in

FILE = ROOT / "llms.txt"
README = "README.md"
WHERE_TO_ASK = (
    "Ask `published/wholesale.duckdb`, not the `wholesale.duckdb` that runs write: by"
    ' `wholesale sql "…"`, or any tool that opens DuckDB files. `main` has views with plain names'
    " (`orders`, `order_lines`, `buyers`, `vendors`, `products`, `daily_sales`, `receivables`), and"
    " tables of what changed since earlier versions, and why figures moved (`changes`,"
    " `change_fields`, `why_totals`, `why`, `why_orders`), and what moved months that were closed"
    " (`rpt_closed_months`, `rpt_journal`), and what was claimed of next orders and of months"
    " (`forecast_claims`, `forecast_month_claims`),"
    " every column has a comment, and `meta` has `tables`, `columns`, `relationships`, `metrics`,"
    " `settings` and `versions` (verdict, as of when, up to which day)."
)
EVERYWHERE = {option.name for option in cli.params}
"""Options that every command takes too."""


def text() -> str:
    about = _paragraphs(README)[1]
    sections = {
        "Chapters": _chapters(),
        "Commands": _commands(),
        "Resources": _resources(),
        "Reports": _tables("bi"),
        "Facts and dimensions": _tables("marts"),
    }
    body = "".join(
        f"\n## {title}\n\n" + "".join(f"- {line}\n" for line in lines)
        for title, lines in sections.items()
    )
    return f"# wholesale-elt\n\n> {about}\n\n{WHERE_TO_ASK}\n{body}"


def _chapters() -> Iterator[str]:
    """Each README by its title, in the order in which data flow."""
    for folder in ("sources", "pipelines", "sql", "tests"):
        for path in sorted((ROOT / folder).rglob("README.md")):
            name = path.relative_to(ROOT).as_posix()
            yield f"[{_paragraphs(name)[0].removeprefix('# ')}]({name})"


def _commands() -> Iterator[str]:
    for name, command in sorted(COMMANDS.items()):
        options = [
            option.opts[0]
            for option in command.params
            if isinstance(option, click.Option) and option.name not in EVERYWHERE
        ]
        taken = f" ({', '.join(options)})" if options else ""
        yield f"`wholesale {name}`: {command.get_short_help_str(200)}{taken}"


def _resources() -> Iterator[str]:
    for name, resource in RESOURCE.items():
        path = ENDPOINT[resource.list_endpoint].path
        yield f"`wholesale_raw.{name}`: GET {path} (§{resource.section})"


def _tables(folder: str) -> Iterator[str]:
    for model in models_in(folder):
        yield f"`wholesale_{folder}.{model['name']}`: {described(model)}"


def _paragraphs(name: str) -> list[str]:
    """Of a README, each in one line."""
    return [in_one_line(part) for part in (ROOT / name).read_text("utf-8").split("\n\n")]


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
