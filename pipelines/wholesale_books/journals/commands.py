"""`wholesale journal`: the closed months, as closed and now, and each entry between."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale.errors import counted
from wholesale_elt.cli import (
    Exit,
    Failure,
    Output,
    json_option,
    minute,
    published_option,
    say,
    warehouse_boundary,
)

if TYPE_CHECKING:
    from wholesale_books.journals.asking import Asked
    from wholesale_books.journals.journal import Journal, JournalEntry
    from wholesale_elt.warehouse import Warehouse

MOST_SHOWN = 50
MONTHS = (
    *("month", "closed_at", "closed_by", "metric", "as_closed", "changed", "counted_otherwise"),
    *("now", "unexplained"),
)
ENTRIES = (
    *("month", "metric", "kind", "cause", "seen_at", "order_number", "order_id", "buyer_id"),
    *("buyer", "vendor_id", "counted_id", "part", "fields", "was", "now", "difference"),
)
SHOWN = ("found", "order", "buyer", "what", "was", "now", "difference")


@click.command(short_help="What moved a closed month since it was closed?")
@click.argument("month", required=False)
@click.option(
    *("--metric", "metrics"),
    multiple=True,
    metavar="METRIC",
    help="By this metric, or by `all`; repeatable. By default those of `books.metrics`.",
)
@click.option(*("--csv", "as_csv"), is_flag=True, help="Print the rows as CSV.")
@published_option
@json_option
@warehouse_boundary
def journal(
    output: Output,
    warehouse: "Warehouse",
    month: str | None,
    metrics: Sequence[str],
    as_csv: bool,
    published: Path,
) -> Failure | None:
    """Every month that is closed: what it was then, what changed since, what is counted otherwise,
    and what it is in the version in force. Of one MONTH, such as 2026-10, each order between.

    The amounts add up to the last digit; what does not, or cannot be compared, is said, and the
    command exits with 3. What went and came back to what it was is no entry.
    """
    from wholesale_books.journals.asking import ask_journals

    asked = ask_journals(warehouse, published, month, metrics)
    output.answer(asked.document(with_entries=month is not None))
    if as_csv:
        columns = MONTHS if month is None else ENTRIES
        rows = _month_rows(asked) if month is None else _entry_rows(asked)
        from wholesale_elt.cli import print_csv

        print_csv(columns, ([row[name] for name in columns] for row in rows))
    elif month is None:
        _print_months(output, asked)
    else:
        _print_entries(output, asked)
    if faults := asked.faults:
        return Failure("; ".join(faults), Exit.INCOMPLETE)
    return None


def _month_rows(asked: "Asked") -> Iterator[Mapping[str, Any]]:
    for each in asked.journals:
        yield {
            "month": each.month.name,
            "closed_at": each.month.closed_at,
            "closed_by": each.month.by,
            "metric": each.metric,
            "as_closed": each.as_closed,
            "changed": each.changed,
            "counted_otherwise": each.counted_otherwise,
            "now": each.now,
            "unexplained": each.residue,
        }


def _entry_rows(asked: "Asked") -> Iterator[Mapping[str, Any]]:
    for journal in asked.journals:
        for each in journal.entries:
            yield {
                "month": journal.month.name,
                "metric": journal.metric,
                "kind": each.kind,
                "cause": each.cause,
                "seen_at": each.seen_at,
                "order_number": each.order_number,
                "order_id": each.order_id,
                "buyer_id": each.buyer_id,
                "buyer": asked.buyers.get(each.buyer_id or ""),
                "vendor_id": each.vendor_id,
                "counted_id": each.counted_id,
                "part": each.part,
                "fields": each.fields,
                "was": each.was,
                "now": each.now,
                "difference": each.amount,
            }


def _print_months(output: Output, asked: "Asked") -> None:
    if not asked.journals:
        say(output.console(), "no month is closed: `wholesale close 2026-10` closes one")
        return
    rows = [
        {**row, "closed_at": minute(row["closed_at"])}
        for row in _month_rows(asked)
    ]  # fmt: skip
    from wholesale_elt.cli import print_rows

    print_rows(output.console(), MONTHS, [[row[name] for name in MONTHS] for row in rows])
    say(output.console(), asked.summary)


def _print_entries(output: Output, asked: "Asked") -> None:
    from wholesale_elt.cli import print_rows, shown

    console = output.console()
    for each in asked.journals:
        if each.problem:
            continue
        now = f"{shown(each.now) or 'nothing'} now"
        say(console, f"{each.metric} of {each.month.name}: {shown(each.as_closed) or 'nothing'}"
            f" as closed, {now}")  # fmt: skip
        for cause, entries in _by_cause(each).items():
            amounts = [entry.amount for entry in entries]
            total = "" if None in amounts else f" {shown(sum(a for a in amounts if a is not None))}"
            say(console, f"{cause}:{total} by {_counted(entries)}")
            print_rows(
                console, SHOWN, [_line(asked, each.metric, it) for it in entries[:MOST_SHOWN]]
            )
            if len(entries) > MOST_SHOWN:
                rest = len(entries) - MOST_SHOWN
                say(console, f"and {rest:,} rows more: --csv or --json has all of them")
        if each.is_known:
            say(
                console,
                f"changed {shown(each.changed)}, counted otherwise {shown(each.counted_otherwise)},"
                f" unexplained {shown(each.residue)}",
            )
    if asked.journals:
        close = asked.journals[0].month
        say(console, f"closed {minute(close.closed_at)} by {close.by}, entry {close.entry.number}"
            f" ({close.entry.digest[:12]}), version {close.version}")  # fmt: skip
    say(console, asked.summary)


def _by_cause(journal: "Journal") -> Mapping[str, "Sequence[JournalEntry]"]:
    found: dict[str, list[JournalEntry]] = {}
    for each in journal.entries:
        told = f"{each.cause} ({each.kind})" if each.kind != "changed" else each.cause
        found.setdefault(told, []).append(each)
    return found


def _counted(entries: "Iterable[JournalEntry]") -> str:
    return counted(len({id_ for each in entries for id_ in each.order_ids}), "order")


def _line(asked: "Asked", metric: str, entry: "JournalEntry") -> Sequence[object]:
    """Names in place of ids: a terminal is narrow."""
    buyer = asked.buyers.get(entry.buyer_id or "") or entry.buyer_id
    what = f"{entry.part} {entry.fields}".strip() if metric != entry.part else entry.fields
    return [
        minute(entry.seen_at) if entry.seen_at else None,
        entry.order_number or entry.order_id or entry.counted_id,
        *(buyer, what, entry.was, entry.now, entry.amount),
    ]
