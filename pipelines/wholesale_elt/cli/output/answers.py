"""Answers: what a demo found out about its business, in a few lines, from what it published."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
from rich.console import Console

from wholesale.errors import counted
from wholesale_elt.cli.output.consoles import say
from wholesale_elt.warehouse import open_file

LABEL_WIDTH = 14
BUSINESS = """
    select
        headlines.currency,
        periods.order_count,
        periods.sales_amount,
        periods.sales_amount_growth,
        periods.average_order_value,
        periods.buyer_count,
        buyers.late_count,
        buyers.late_sales_amount
    from wholesale_bi.rpt_headlines as headlines
    cross join wholesale_bi.rpt_buyer_headlines as buyers
    left join wholesale_bi.rpt_sales_by_period_totals as periods
        on periods.period_key = 'last_12_months'
        and periods.vendor_id = 'all'
        and periods.state = 'all'
"""
CHANGED = """
    select kind, count(*)
    from changes
    where line_number is null
    group by kind
    order by count(*) desc, kind
"""
WHY = """
    select cause, sum(amount), sum(order_count)
    from why
    where compared_with = 'version_before' and metric = 'sales' and period = 'all_time'
    group by cause
    order by min(cause_number)
"""
NOT_SHIPPED = """
    select count(*), case when count(*) > 0 then sum(amount) else 0 end, max(waiting_days),
        (select old_order_days from wholesale_marts.dim_settings)
    from wholesale_bi.rpt_tasks
    where task_kind = 'old'
"""
LATE_ORDER = """
    select order_number
    from wholesale_bi.rpt_fulfilment
    order by is_waiting desc, waiting_days desc nulls last, order_number
    limit 1
"""
NOT_PAID = """
    select order_count, open_amount, unknown_order_count, unknown_amount
    from wholesale_bi.rpt_receivables_by_buyer_totals
    where buyer_id = 'all' and due_bucket = 'all'
"""


def print_answers(console: Console, database: Path) -> None:
    """What the published file of a demo says about sales, buyers and what is late, and about what
    has changed since the version before."""
    with open_file(database) as connection:
        for label, answer in (*_answers(connection), *_changes(connection)):
            print_answer(console, label, answer, "cyan")


def print_answer(console: Console, label: str, answer: str, colour: str) -> None:
    console.print(f"  [bold {colour}]{label:<{LABEL_WIDTH}}[/]", end="", highlight=False)
    say(console, answer)


def late_order(database: Path) -> str:
    """The number of the order that has waited longest to be shipped, or of the last one."""
    with open_file(database) as connection:
        (number,) = _row(connection, LATE_ORDER)
    return str(number)


def _answers(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str]]:
    from wholesale_elt.dashboard import count_stateless
    from wholesale_elt.figures import NO_CURRENCY

    currency, orders, sales, growth, average, buyers, late, at_stake = _row(connection, BUSINESS)

    def money(amount: Any, places: int = 0) -> str:
        if amount is None:
            return "an unknown amount"
        told = f"{amount:,.{places}f}"
        return told if currency == NO_CURRENCY else f"{currency} {told}"

    if orders:
        year_before = f", {growth:+.0%} on the year before" if growth is not None else ""
        yield "Sales", f"{money(sales)} in the last 12 months{year_before}"
        of = f"{orders:,} in these months, of {money(average, 2)} on average"
        yield "Orders", f"{of}, by {buyers:,} buyers"
    silent = f"{late:,} are silent beyond their own rhythm"
    yield "Late buyers", f"{silent}; bought {money(at_stake)} so far"
    count, amount, oldest, days = _row(connection, NOT_SHIPPED)
    for_days = f", one for {oldest:,} days" if oldest else ""
    told = f"{count:,} orders for more than {days:,} days, {money(amount)}{for_days}"
    if not count and (stateless := count_stateless(connection)):
        told = f"not known of {stateless:,} orders, which tell no state"
    yield "Not shipped", told
    count, amount, unknown, unknown_amount = _row(connection, NOT_PAID)
    told = f"{count:,} orders that were shipped, {money(amount)}"
    if unknown and not count:
        told = f"not known of {unknown:,} orders, {money(unknown_amount)}"
    yield "Not paid", told


def _changes(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str]]:
    """Nothing for the first version."""
    if kinds := connection.execute(CHANGED).fetchall():
        yield "Changed", f"orders: {', '.join(f'{count:,} {kind}' for kind, count in kinds)}"
    if causes := connection.execute(WHY).fetchall():
        moved = sum(amount for _, amount, _ in causes)
        told = ", ".join(
            f"{cause} {amount:+,.0f} ({counted(count, 'order')})" for cause, amount, count in causes
        )
        yield "Why", f"sales of all time moved by {moved:+,.0f}: {told}"


def _row(connection: duckdb.DuckDBPyConnection, sql: str) -> Sequence[Any]:
    return connection.execute(sql).fetchone() or ()
