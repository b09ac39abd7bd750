"""What a run tells a person at its end."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import datetime

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale_elt.inspect import MART, Estimate, Explanation, Finding, Status, Version
from wholesale_elt.load import Outcome
from wholesale_elt.warehouse import Warehouse

QUERIES: Sequence[tuple[str, str]] = (
    (
        "Sales by month",
        """
select date_trunc('month', date_day)::date as month,
       sum(order_count) as orders, sum(sales_amount) as sales
from wholesale_bi.rpt_daily_sales
group by 1 order by 1""",
    ),
    (
        "What sells best",
        """
select item_title, variant_title, unit_count as units, sales_amount as sales, abc_class
from wholesale_bi.rpt_catalogue
where sales_amount > 0
order by sales desc limit 10""",
    ),
    (
        "Buyers below a vendor's minimum",
        """
select buyer_company_name, count(*) as orders, sum(value_shortfall) as short_by
from wholesale_bi.rpt_minimum_orders
group by 1 order by short_by desc limit 10""",
    ),
)


def outcome_table(outcome: Outcome) -> Table:
    """One row a kind: how many records, how many of them new, and the verdict."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("kind")
    for name in ("records", "new", "changed", "deleted", "requests"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for one in outcome.certificates:
        is_complete = one.verdict == "complete"
        table.add_row(
            one.resource,
            f"{one.records:,}",
            f"{one.new:,}",
            "" if one.changed is None else f"{one.changed:,}",
            f"{one.deleted:,}",
            f"{one.requests:,}",
            Text(one.verdict, style="green" if is_complete else "bold yellow"),
        )
    return table


def print_outcome(console: Console, outcome: Outcome, warehouse: Warehouse) -> None:
    """The whole account of a sync, with every reason for doubt in words."""
    console.print(outcome_table(outcome))
    for one in outcome.certificates:
        if one.reason:
            _say(console, f"{one.resource} incomplete: {one.reason}")
    for (table, field), count in sorted(outcome.misfits.items()):
        _say(console, f"{table}.{field}: {count:,} values did not fit and are kept in _extra")
    if outcome.found:
        tables = Counter(column.partition(".")[0] for column in outcome.found)
        places = ", ".join(f"{table} ({count})" for table, count in tables.items())
        _say(console, f"fields not in the API description became columns: {places}\n")
    if outcome.not_due:
        _say(console, f"not due yet, so not read: {', '.join(outcome.not_due)}")
    total = sum(one.records for one in outcome.certificates)
    state = "certified complete" if outcome.is_complete else "NOT certified complete"
    _say(console, f"{total:,} records in {warehouse.name}, schema wholesale_raw, {state}")


def print_invitation(console: Console, warehouse: Warehouse) -> None:
    """What the demo loaded, in one breath, and three questions to start with, ready to paste."""
    with warehouse.open(is_read_only=True) as raw:
        (row,) = raw.rows(
            "select count(*), count(distinct buyer_id), count(distinct vendor_id),"
            f" min(created_at), max(created_at), sum(total) from {raw.name('orders')}"
        )
        lines = raw.count("orders__order_line_items")
    orders, buyers, vendors, first, last, total = row
    console.print(
        f"\n[bold]{orders:,} orders[/] of {buyers:,} buyers from {vendors:,} vendors,"
        f" {first:%B %Y} to {last:%B %Y}: [bold]{lines:,} lines[/], [bold]{total:,.2f}[/] in all",
        highlight=False,
        soft_wrap=True,
    )
    for title, sql in QUERIES:
        console.print(f"\n[bold cyan]{title}")
        _say(console, f"{sql.strip()};")
    if warehouse.is_duckdb:
        open_it = f"duckdb.connect('{warehouse.database}', read_only=True)"
        _say(console, f'\nAsk in Python: import duckdb; {open_it}.sql("…")')
        _say(console, "Look at all of it in a browser (wholesale dashboard):")


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def finding_table(findings: Sequence[Finding]) -> Table:
    """One row a list of the service, as `wholesale check` saw it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("list", "answer", "shape"):
        table.add_column(name)
    for name in ("records", "limit cap"):
        table.add_column(name, justify="right")
    table.add_column("sorted by")
    table.add_column("fields not in the description")
    for one in findings:
        table.add_row(
            one.resource,
            Text(one.answer, style="bold red" if one.is_fault else ""),
            one.shape or "",
            "" if one.total is None else f"{one.total:,}",
            "" if one.cap is None else f"{one.cap:,}",
            one.order or "",
            ", ".join(one.unknown),
        )
    return table


def print_plan(console: Console, estimate: Estimate) -> None:
    """One row a kind: how it would be read and what that takes."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("kind", no_wrap=True)
    for name in ("requests", "MB"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("how")
    for one in estimate.plans:
        size = "" if one.bytes is None else f"{one.bytes / 1e6:,.1f}"
        table.add_row(one.resource, f"{one.requests:,}", size, one.strategy)
    console.print(table)
    requests = sum(one.requests for one in estimate.plans)
    _say(console, f"{requests:,} requests, about {max(1, round(estimate.minutes))} min")


def outcome_json(outcome: Outcome) -> str:
    """A sync as one JSON object: its certificates as in `sync_runs`, and what was odd."""
    return _json(
        {
            "run_id": outcome.run_id,
            "verdict": "complete" if outcome.is_complete else "incomplete",
            "failures": outcome.failures,
            "not_due": outcome.not_due,
            "kinds": [asdict(one) for one in outcome.certificates],
            "unreadable": [
                {"table": table, "field": field, "count": count}
                for (table, field), count in sorted(outcome.misfits.items())
            ],
            "found_columns": outcome.found,
        }
    )


def print_explanation(console: Console, explanation: Explanation) -> None:
    """Both sides of an order, beside each other, and what follows from them."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("", "stored", "at the service"):
        table.add_column(name, no_wrap=True)
    sides = (explanation.stored, explanation.service)
    for field in fields(Version):
        values = [getattr(side, field.name) if side else None for side in sides]
        if any(value is not None for value in values):
            table.add_row(field.name, *("" if value is None else str(value) for value in values))
    _say(console, f"order {explanation.order_id}")
    if any(sides):
        console.print(table)
    _say(console, explanation.verdict())
    if explanation.in_mart is not None:
        where = "is in" if explanation.in_mart else "is not in"
        _say(console, f"it {where} {MART}")


def print_status(console: Console, rows: Sequence[Status]) -> None:
    """One row a kind: how much there is and how far it may be trusted; then the doubts."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("kind", no_wrap=True)
    table.add_column("rows", justify="right", no_wrap=True)
    for name in ("last run (UTC)", "verdict", "complete at", "lag"):
        table.add_column(name, no_wrap=True)
    table.add_column("silent edits", justify="right", no_wrap=True)
    for one in rows:
        table.add_row(
            one.resource,
            f"{one.rows:,}",
            _minute(one.last_run_at),
            Text(one.verdict or "never synced", style=_style(one.verdict)),
            _minute(one.last_complete_at),
            _lag(one.lag_seconds),
            _share(one.silent, one.audited),
        )
    console.print(table)
    for one in rows:
        if one.reason:
            _say(console, f"{one.resource} incomplete: {one.reason}")


def status_json(rows: Sequence[Status]) -> str:
    """The same as a JSON array of objects; times are ISO 8601 in UTC."""
    return _json([asdict(one) for one in rows])


def _json(value: object) -> str:
    return json.dumps(value, default=lambda at: at.isoformat(), indent=2)


def _minute(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


def _style(verdict: str | None) -> str:
    return {"complete": "green", "incomplete": "bold yellow"}.get(verdict or "", "dim")


def _share(silent: int | None, audited: int) -> str:
    return "" if silent is None else f"{silent:,} of {audited:,}"


def _lag(seconds: int | None) -> str:
    if seconds is None:
        return ""
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
