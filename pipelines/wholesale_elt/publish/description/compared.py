"""Compared: the tables of `main` that tell what changed since earlier versions, and why figures
moved."""

from collections.abc import Mapping

from wholesale_elt.models import BUSINESS
from wholesale_elt.publish.description.meta import DescribedColumn, DescribedTable

MAIN = "main"
AMOUNT, TEXT, NUMBER, MOMENT = "DECIMAL(38,9)", "VARCHAR", "BIGINT", "TIMESTAMP WITH TIME ZONE"
CURRENCY, AS_THE_METRIC = "currency of the account", "as the metric counts"
ORDER_ID = DescribedColumn(TEXT, "The order.", parent=("orders", "order_id"))
ORDER_NUMBER = DescribedColumn(TEXT, "Its number.")
LINE_NUMBER = DescribedColumn(NUMBER, "The line of the order; NULL for the order itself.")
COMPARED_WITH = DescribedColumn(
    TEXT,
    "`version_before`; `day_before`, `week_before`: a version of a day or a week ago, or what was"
    " so then; `oldest_version`: the oldest that is kept, where nothing is known of a week ago.",
)
METRIC = DescribedColumn(TEXT, "The metric, as in `meta.metrics`.")
PERIOD = DescribedColumn(
    TEXT,
    "`all_time`, `this_month` or `last_month`: the same days of both, as this version has them.",
)
CAUSE = DescribedColumn(
    TEXT, "What happened: `new`, `found late`, `edited`, `cancelled` and so on."
)
FIELDS = DescribedColumn(TEXT, "Which fields or settings differ, if that tells more; else empty.")


def _table(
    name: str, description: str, key: tuple[str, ...], columns: Mapping[str, DescribedColumn]
) -> DescribedTable:
    return DescribedTable(
        schema=MAIN,
        name=name,
        base=name,
        about=BUSINESS,
        description=description,
        key=key,
        columns=columns,
    )


CHANGES = _table(
    "changes",
    "What changed since the version before? One row per order, and per line of one that was"
    " there and still is. Add up the amounts of orders or those of lines, not both.",
    ("order_id", "line_number"),
    {
        "kind": DescribedColumn(
            TEXT,
            "`new`, `found late` (ordered before, but not there), `edited`, `state changed` (with"
            " times and fields of the invoice at most, and no line), `cancelled`, `deleted` or"
            " `reappeared`; of a line `new`, `edited` or `deleted`.",
        ),
        "order_id": ORDER_ID,
        "order_number": ORDER_NUMBER,
        "line_number": LINE_NUMBER,
        "sku": DescribedColumn(TEXT, "The SKU of the line."),
        "amount_before": DescribedColumn(
            AMOUNT,
            "The sub total of the order, 0 while it is gone or cancelled; or the total price of the"
            " line, 0 while it is not there; NULL if it has none.",
            CURRENCY,
        ),
        "amount_after": DescribedColumn(AMOUNT, "The same in this version.", CURRENCY),
        "amount_effect": DescribedColumn(
            AMOUNT, "What the change added or took away; NULL if not known.", CURRENCY
        ),
        "fields": DescribedColumn(
            TEXT, "Names of the fields that differ, of those that are published; may be empty."
        ),
        "changed_at": DescribedColumn(MOMENT, "When the sync began that brought it (UTC)."),
    },
)
CHANGE_FIELDS = _table(
    "change_fields",
    "Which fields changed since the version before, from what to what? One row per field of a"
    " row of `changes`. Fields that are not published are not told.",
    ("order_id", "line_number", "field"),
    {
        "order_id": ORDER_ID,
        "line_number": LINE_NUMBER,
        "field": DescribedColumn(TEXT, "The field, by the name that the service gives it."),
        "value_before": DescribedColumn(TEXT, "What it was; NULL if nothing."),
        "value_after": DescribedColumn(TEXT, "What it is in this version; NULL if nothing."),
    },
)
WHY_TOTALS = _table(
    "why_totals",
    "How far did a figure move, against which version? One row per comparison, metric and"
    " period; `why` has the causes. Without a row there was nothing to compare with.",
    ("compared_with", "metric", "period"),
    {
        "compared_with": COMPARED_WITH,
        "from_version": DescribedColumn(
            TEXT,
            "The name of the earlier version; NULL if what was so then was made of the past, or if"
            " that version was kept no more.",
        ),
        "from_as_of": DescribedColumn(
            MOMENT, "As of when the earlier one was complete (UTC); NULL if it never was."
        ),
        "from_built_at": DescribedColumn(
            MOMENT,
            "When the earlier one was built (UTC): of what syncs saw later it does not tell.",
        ),
        "metric": METRIC,
        "period": PERIOD,
        "value_before": DescribedColumn(AMOUNT, "Its value in the earlier one.", AS_THE_METRIC),
        "value_after": DescribedColumn(AMOUNT, "Its value in this version.", AS_THE_METRIC),
        "difference": DescribedColumn(
            AMOUNT,
            "After less before; NULL if a ratio has a value on one side only.",
            AS_THE_METRIC,
        ),
    },
)
WHY = _table(
    "why",
    "Why is a figure another one than before? One row per cause; the amounts of all causes add"
    " up to the difference in `why_totals`, exactly.",
    ("compared_with", "metric", "period", "cause_number"),
    {
        "compared_with": COMPARED_WITH,
        "metric": METRIC,
        "period": PERIOD,
        "cause_number": DescribedColumn(NUMBER, "From 1, the largest effect first."),
        "cause": CAUSE,
        "fields": FIELDS,
        "part": DescribedColumn(
            TEXT, "Of a ratio the metric whose amount this moved; else the metric itself."
        ),
        "part_amount": DescribedColumn(AMOUNT, "What it moved of that.", "as the part counts"),
        "amount": DescribedColumn(
            AMOUNT,
            "What that did to the metric; NULL if a ratio has a value on one side only.",
            AS_THE_METRIC,
        ),
        "order_count": DescribedColumn(NUMBER, "How many orders are behind it.", "count"),
    },
)
WHY_ORDERS = _table(
    "why_orders",
    "Which orders are behind a cause? One row per order, at most 1,000 a cause, the largest"
    " amounts first. Those of a ratio are told of its parts: join `why.part` with `metric`.",
    ("compared_with", "metric", "period", "cause", "fields", "order_id"),
    {
        "compared_with": COMPARED_WITH,
        "metric": METRIC,
        "period": PERIOD,
        "cause": CAUSE,
        "fields": FIELDS,
        "order_id": ORDER_ID,
        "order_number": ORDER_NUMBER,
        "amount": DescribedColumn(
            AMOUNT,
            "What it gave or took; NULL where several orders are behind what is counted once.",
            AS_THE_METRIC,
        ),
    },
)
COMPARED = (CHANGES, CHANGE_FIELDS, WHY_TOTALS, WHY, WHY_ORDERS)
