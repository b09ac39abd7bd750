"""Output of a sync: what it found and did, and where to look next."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale_elt.cli.output import minute, say
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
    """One row a resource: how many records, how many of them new, and the verdict."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("resource")
    for name in ("records", "new", "changed", "deleted", "requests"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for certificate in outcome.certificates:
        is_complete = certificate.verdict == "complete"
        table.add_row(
            certificate.resource,
            f"{certificate.records:,}",
            f"{certificate.new:,}",
            "" if certificate.changed is None else f"{certificate.changed:,}",
            f"{certificate.deleted:,}",
            f"{certificate.requests:,}",
            Text(certificate.verdict, style="green" if is_complete else "bold yellow"),
        )
    return table


def print_outcome(console: Console, outcome: Outcome, warehouse: Warehouse) -> None:
    """The whole account of a sync, with every reason for doubt in words."""
    console.print(outcome_table(outcome))
    for certificate in outcome.certificates:
        if certificate.reason:
            say(console, f"{certificate.resource} incomplete: {certificate.reason}")
    for (table, field), count in sorted(outcome.misfits.items()):
        say(console, f"{table}.{field}: {count:,} values did not fit and are kept in _extra")
    if outcome.found:
        tables = Counter(column.partition(".")[0] for column in outcome.found)
        places = ", ".join(f"{table} ({count})" for table, count in tables.items())
        say(console, f"fields not in the API description became columns: {places}\n")
    if outcome.not_due:
        say(console, f"not due yet, so not read: {', '.join(outcome.not_due)}")
    total = sum(certificate.records for certificate in outcome.certificates)
    as_of = [found.complete_as_of for found in outcome.certificates if found.complete_as_of]
    is_complete = outcome.is_complete and as_of
    state = (
        f"certified complete as of {minute(min(as_of))} UTC"
        if is_complete
        else "NOT certified complete"
    )
    say(console, f"{total:,} records in {warehouse.name}, schema wholesale_raw, {state}")


def outcome_json(outcome: Outcome) -> str:
    """A sync as one JSON object: its certificates as in `sync_runs`, and what was odd."""
    return json.dumps(
        {
            "run_id": outcome.run_id,
            "verdict": "complete" if outcome.is_complete else "incomplete",
            "failures": outcome.failures,
            "not_due": outcome.not_due,
            "resources": [asdict(certificate) for certificate in outcome.certificates],
            "unreadable": [
                {"table": table, "field": field, "count": count}
                for (table, field), count in sorted(outcome.misfits.items())
            ],
            "found_columns": outcome.found,
        },
        default=lambda at: at.isoformat(),
        indent=2,
    )


def print_invitation(console: Console, warehouse: Warehouse, headline: str | None) -> None:
    """What the demo loaded, in one breath, and three questions to start with, ready to paste.

    `headline` is that of the dashboard, where there is one.
    """
    with warehouse.open(is_read_only=True) as raw:
        (row,) = raw.rows(
            "select count(*), count(distinct buyer_id), count(distinct vendor_id),"
            f" min(created_at), max(created_at) from {raw.name('orders')}"
        )
        lines = raw.count("orders__order_line_items")
    orders, buyers, vendors, first, last = row
    console.print(
        f"\n[bold]{orders:,} orders[/] of {buyers:,} buyers from {vendors:,} vendors,"
        f" {first:%B %Y} to {last:%B %Y}: [bold]{lines:,} lines[/]",
        highlight=False,
        soft_wrap=True,
    )
    if headline:
        say(console, headline)
    for title, sql in QUERIES:
        console.print(f"\n[bold cyan]{title}")
        say(console, f"{sql.strip()};")
    if warehouse.is_duckdb:
        open_it = f"duckdb.connect('{warehouse.database}', read_only=True)"
        say(console, f'\nAsk in Python: import duckdb; {open_it}.sql("…")')
        say(console, "Look at all of it in a browser (wholesale dashboard):")
