"""Next: who orders next, when, and how much, as published; and how often that was right."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import as_of_option, json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from rich.console import Console

    from wholesale_elt.answers import ExpectedSales, NextOrders

SHOWN_OF_EACH = 10
SHARES = (50, 80, 90)
CLAIMED = {"50": "50 % for the day", "80": "80 % for the day", "90": "90 % for the day"}
PRODUCTS = {"usual": "usually takes", "suggested": "buyers like it take"}
Row = Mapping[str, Any]


@click.command("next", short_help="Who orders next, when, and how much?")
@click.argument("buyer", required=False)
@click.option("--manager", metavar="ID", help="Only buyers of this account manager.")
@click.option("--due", "is_due_only", is_flag=True, help="Only who is due within seven days.")
@click.option("--record", "is_record", is_flag=True, help="How often such windows were right.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"So many of each standing at most. Without it a table shows {SHOWN_OF_EACH}.",
)
@click.option("--sales", "is_of_sales", is_flag=True, help="What may be sold this month and next.")
@click.option("--by", metavar="DIMENSION", help="Those sales by vendor or account_manager.")
@as_of_option
@published_option
@json_option
@error_boundary
def next_orders(
    output: Output,
    buyer: str | None,
    manager: str | None,
    is_due_only: bool,
    is_record: bool,
    limit: int | None,
    is_of_sales: bool,
    by: str | None,
    as_of: str | None,
    published: Path,
) -> None:
    """Who is due, whose windows are over without an order, and who orders later, from
    `wholesale_bi.rpt_next_orders`. Of one BUYER, by id or name, all windows and what was claimed.

    The chance is that of buyers that purchased about as often and were silent for as long.

    With --sales what the running month and the next one are expected to come to, and between which
    amounts, from `wholesale_bi.rpt_sales_outlook`.
    """
    from wholesale_elt.answers import Published

    asked = Published(published, as_of=as_of)
    of_buyers = (buyer, manager, limit, is_due_only or None, is_record or None)
    if is_of_sales and any(each is not None for each in of_buyers):
        raise click.UsageError("--sales is of no buyers: it goes with --by alone")
    if is_of_sales:
        _print_sales(output, asked.expected_sales(by).detail)
        return
    if by is not None:
        raise click.UsageError("--by is of sales: write --sales, too")
    found = asked.next(buyer, manager=manager, is_due_only=is_due_only, limit=limit).detail
    output.answer(found.document())
    console = output.console()
    if is_record:
        _print_record(console, found)
    elif found.withheld:
        say(console, found.withheld)
    elif found.buyer:
        _print_buyer(console, found)
    else:
        _print_rows(console, found, SHOWN_OF_EACH if limit is None else limit)
        if not is_due_only and (without := found.without_window()):
            say(console, without)
    say(console, found.summary())


def _print_sales(output: Output, found: "ExpectedSales") -> None:
    from wholesale_elt.cli.output.tables import print_rows

    output.answer(found.document())
    console = output.console()
    total = found.total if found.by else ()
    told = [
        (
            f"{row['month_start']:%Y-%m}",
            "all" if row["dimension"] == "all" else row["member_name"] or row["member"],
            *(_amount(row[name]) for name in ("known_amount", "expected_amount")),
            _amounts(row["low_80"], row["high_80"]),
            f"{row['right_count']} of {row['judged_count']}" if row["judged_count"] else None,
        )
        for row in (*found.rows, *total)
    ]
    if told:
        columns = ("month", "of", "sold so far", "expected", "80 % window", "right")
        print_rows(console, columns, told, null="not known")
    else:
        say(console, found.withheld or "no month is told, as no sale with an amount is known")
    say(console, found.summary())


def _print_rows(console: "Console", found: "NextOrders", most: int) -> None:
    from wholesale_elt.cli.output.tables import print_rows

    told = list(_told(found, most))
    columns = ["buyer", "standing", "in 7 days", "80 % window", "amount", "right", "products"]
    if not any(row[-1] for row in told):  # nobody is on the call sheet
        columns, told = columns[:-1], [row[:-1] for row in told]
    if told:
        print_rows(console, columns, told)


def _told(found: "NextOrders", most: int) -> Iterator[Sequence[Any]]:
    """The first of each standing, and in one row how many others there are."""
    for standing in dict.fromkeys(row["standing"] for row in found.rows):
        rows = [row for row in found.rows if row["standing"] == standing]
        for row in rows[:most]:
            yield (
                row["buyer_name"] or row["buyer_id"],
                standing,
                _percent(row["order_in_week_share"]),
                _days(row["first_day_80"], row["last_day_80"]),
                _amounts(row["low_amount"], row["high_amount"]),
                f"{row['right_count']} of {row['judged_count']}" if row["judged_count"] else None,
                ", ".join(row["usual_products"] or ()),
            )
        if (more := found.counts[standing] - len(rows[:most])) > 0:
            yield f"{more:,} more", standing, "", "", "", "", ""


def _print_buyer(console: "Console", found: "NextOrders") -> None:
    from wholesale_elt.answers import REASONS
    from wholesale_elt.cli.output.tables import print_rows

    [row] = found.rows
    standing = row["standing"]
    why = REASONS[standing].format("one") if standing in REASONS else standing
    say(console, f"{row['buyer_name'] or row['buyer_id']}: {why}, last purchase on"
        f" {row['last_ordered_date'] or 'a day that is not known'}")  # fmt: skip
    if standing not in REASONS:
        windows = [
            (f"{share} %", row[f"first_day_{share}"], row[f"last_day_{share}"]) for share in SHARES
        ]
        print_rows(console, ("window", "first day", "last day"), windows, null="not known")
        others = {
            "amount with 80 %": _amounts(row["low_amount"], row["high_amount"]),
            "within seven days": _percent(row["order_in_week_share"]),
            "again, as far as is known": _percent(row["order_again_share"]),
        }
        say(console, "; ".join(f"{what}: {it or 'not known'}" for what, it in others.items()))
    if row["judged_count"]:
        times = f"{row['right_count']} of {row['judged_count']} times"
        say(console, f"windows of 80 % were right {times}")
    if found.claims:
        columns = ("ordered_date", "first_day_80", "last_day_80", "is_right_80")
        told = [[claim[name] for name in columns] for claim in found.claims]
        heads = ("claimed on the order of", "first day", "last day", "right")
        print_rows(console, heads, told, null="not over")
    for products, what in PRODUCTS.items():
        titles = [it["item_title"] or it["item_key"] for it in found.products
                  if it["product_list"] == products]  # fmt: skip
        if titles:
            say(console, f"{what}: {', '.join(titles)}")


def _print_record(console: "Console", found: "NextOrders") -> None:
    from wholesale_elt.cli.output.tables import print_rows

    if found.record:
        rows = [
            (
                f"with {row['member']} purchases" if row["part"] == "age" else row["member"],
                CLAIMED.get(row["claimed"], "80 % for the amount"),
                *(row["judged_count"], row["right_count"], _percent(row["right_share"])),
                _rounded(row["mean_width_days"]),
            )
            for row in found.record
        ]
        print_rows(console, ("buyers", "claimed", "windows", "right", "share", "mean days"), rows)
    else:
        say(console, "no window is over yet")
    if found.weeks:
        counts = ("due_count", "due_share_sum", "due_and_ordered_count", "ordered_count")
        told = [
            [row["week_start"], *(_rounded(row[name]) for name in counts)] for row in found.weeks
        ]
        heads = ("week from", "due", "expected of them", "of them ordered", "with a window ordered")
        print_rows(console, heads, told)
    for row in found.kept:
        say(console, f"published claims of {CLAIMED.get(row['claimed'], '80 % for the amount')}:"
            f" {row['claim_count']:,}, of which {row['judged_count']:,} are over and"
            f" {row['right_count']:,} were right")  # fmt: skip


def _rounded(number: Decimal | int | None) -> Decimal | int | None:
    return round(number, 1) if isinstance(number, Decimal) else number


def _percent(share: Decimal | None) -> str | None:
    return None if share is None else f"{share:.0%}"


def _days(first: date | None, last: date | None) -> str | None:
    if first is None or last is None:
        return None
    same = f"{first:%b}" if (first.year, first.month) != (last.year, last.month) else ""
    return f"{first.day} {same}".strip() + f" to {last.day} {last:%b}"


def _amounts(low: Decimal | None, high: Decimal | None) -> str | None:
    """To whole units: a window is no more exact."""
    if low is None or high is None:
        return None
    return f"{_amount(low)} to {_amount(high)}"


def _amount(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount.quantize(Decimal(1), ROUND_HALF_UP):,}"
