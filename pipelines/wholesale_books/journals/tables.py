"""Tables of journals in each version: the closed months, and the entries of their journals."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from wholesale_books.journals.journal import Journal
from wholesale_books.months import CLOSED, REOPENED
from wholesale_elt.publish import DescribedColumn, DescribedTable

AMOUNT, TEXT, NUMBER = "DECIMAL(38,9)", "VARCHAR", "BIGINT"
DATE, MOMENT = "DATE", "TIMESTAMP WITH TIME ZONE"
AS_THE_METRIC = "as the metric counts"
Row = Mapping[str, Any]


def _column(type_: str, description: str, parent: tuple[str, str] | None = None) -> DescribedColumn:
    unit = AS_THE_METRIC if type_ == AMOUNT else None
    return DescribedColumn(type_, description, unit, parent)


def _table(
    name: str, description: str, key: tuple[str, ...], columns: Mapping[str, DescribedColumn]
) -> DescribedTable:
    return DescribedTable(
        schema="main",
        name=name,
        base=name,
        about="business",
        description=description,
        key=key,
        columns=columns,
    )


MONTH_START = _column(DATE, "The first day of the month.")
CLOSE_NUMBER = _column(NUMBER, "Which close of this month it is, from 1.")
METRIC = _column(TEXT, "The metric, as in `meta.metrics`.")
CLOSED_MONTHS = _table(
    "rpt_closed_months",
    "What was each month when it was closed, and what is it now? One row per close and metric:"
    " as closed, and what changed, and what is counted otherwise, are what it is now. A version"
    " tells of what was closed before it was made.",
    ("month_start", "close_number", "metric"),
    {
        "month_start": MONTH_START,
        "close_number": CLOSE_NUMBER,
        "entry_number": _column(NUMBER, "The entry of the book that tells of the close."),
        "entry_digest": _column(TEXT, "The digest of that entry, which proves it."),
        "version": _column(TEXT, "The published version that was closed by."),
        "as_of": _column(MOMENT, "As of when that version was complete (UTC)."),
        "closed_at": _column(MOMENT, "When it was closed (UTC)."),
        "closed_by": _column(TEXT, "By whom."),
        "note": _column(TEXT, "What was noted then."),
        "state": _column(TEXT, "`closed`, or `reopened`: then only what it was as closed is told."),
        "reason": _column(TEXT, "Why it was reopened."),
        "metric": METRIC,
        "as_closed": _column(
            AMOUNT, "The figure in the book; NULL where nothing told it, and of a `problem`."
        ),
        "changed": _column(
            AMOUNT,
            "What changes of the data added or took away since; NULL if a ratio has a value on one"
            " side only, or neither side has one.",
        ),
        "counted_otherwise": _column(
            AMOUNT,
            "What other settings, definitions or models added or took away; NULL as `changed`.",
        ),
        "now": _column(AMOUNT, "The figure of this version."),
        "residue": _column(
            AMOUNT,
            "What no entry explains: 0, or there is a fault in this tool; NULL as `changed`.",
        ),
        "orders_changed": DescribedColumn(
            NUMBER, "How many orders are behind what changed; NULL of a `problem`.", "count"
        ),
        "problem": _column(
            TEXT, "Why no journal could be made, so that no amount is known; else NULL."
        ),
    },
)
JOURNAL = _table(
    "rpt_journal",
    "What moved a closed month since, order by order? One row per order and cause; of what is"
    " counted once per buyer, user, order or product; of a ratio per cause and part, whose own rows"
    " have the orders. The amounts add up to what changed, and what is counted otherwise, in"
    " `rpt_closed_months`. They are net since the close: what went and came back is no entry.",
    ("month_start", "close_number", "metric", "entry_order"),
    {
        "month_start": MONTH_START,
        "close_number": CLOSE_NUMBER,
        "metric": METRIC,
        "entry_order": _column(
            NUMBER, "From 1: what changed first, the cause with the largest sum first."
        ),
        "kind": _column(TEXT, "`changed`, or `counted otherwise`."),
        "cause": _column(
            TEXT,
            "What happened, as in `why`; `late order` is an order of the month that the closed"
            " version did not have.",
        ),
        "fields": _column(TEXT, "Which fields or settings differ, if that tells more; else empty."),
        "part": _column(
            TEXT, "Of a ratio the metric whose amount this moved; else the metric itself."
        ),
        "order_id": _column(
            TEXT, "The order; NULL where several, or none, are behind it.", ("orders", "order_id")
        ),
        "order_number": _column(TEXT, "Its number."),
        "buyer_id": _column(
            TEXT, "The buyer, as it is now; NULL if several.", ("buyers", "buyer_id")
        ),
        "vendor_id": _column(
            TEXT, "The vendor, as it is now; NULL if several.", ("vendors", "vendor_id")
        ),
        "counted_id": _column(
            TEXT, "Of what is counted once or by buyer: that buyer, user, order or product."
        ),
        "was": _column(
            AMOUNT,
            "What it gave to the metric when the month was closed, of an order's lines those that"
            " are others; of a ratio its value before this cause.",
        ),
        "now": _column(AMOUNT, "What it gives now; of a ratio its value after this cause."),
        "amount": _column(AMOUNT, "`now` less `was`; NULL where the ratio has no difference."),
        "seen_at": _column(
            MOMENT,
            "When the sync began that saw the last change of these orders since the close (UTC);"
            " NULL where that is not known.",
        ),
    },
)


def month_rows(journals: Iterable[Journal]) -> Iterator[Row]:
    for each in journals:
        month = each.month
        yield {
            "month_start": month.month,
            "close_number": month.number,
            "entry_number": month.entry.number,
            "entry_digest": month.entry.digest,
            "version": month.version,
            "as_of": month.as_of and datetime.fromisoformat(month.as_of),
            "closed_at": month.closed_at,
            "closed_by": month.by,
            "note": month.note,
            "state": REOPENED if month.reopened else CLOSED,
            "reason": month.reason,
            "metric": each.metric,
            "as_closed": each.as_closed,
            "changed": each.changed,
            "counted_otherwise": each.counted_otherwise,
            "now": each.now,
            "residue": each.residue,
            "orders_changed": each.orders_changed,
            "problem": each.problem,
        }


def entry_rows(journals: Iterable[Journal]) -> Iterator[Row]:
    for journal in journals:
        for number, each in enumerate(journal.entries, 1):
            yield {
                "month_start": journal.month.month,
                "close_number": journal.month.number,
                "metric": journal.metric,
                "entry_order": number,
                "kind": each.kind,
                "cause": each.cause,
                "fields": each.fields,
                "part": each.part,
                "order_id": each.order_id,
                "order_number": each.order_number,
                "buyer_id": each.buyer_id,
                "vendor_id": each.vendor_id,
                "counted_id": each.counted_id,
                "was": each.was,
                "now": each.now,
                "amount": each.amount,
                "seen_at": each.seen_at,
            }
