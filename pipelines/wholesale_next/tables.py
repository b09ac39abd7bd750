"""Tables of claims in each version: what was told of the next order of each buyer."""

from collections.abc import Mapping

from wholesale_elt.publish import DescribedColumn, DescribedTable

AMOUNT, TEXT, NUMBER, SHARE = "DECIMAL(38,9)", "VARCHAR", "BIGINT", "DECIMAL(38,6)"
DATE, FLAG, MOMENT = "DATE", "BOOLEAN", "TIMESTAMP WITH TIME ZONE"
CURRENCY = "currency of the account"
SHARES = (50, 80, 90)
"""The shares of the windows, in percent."""


MADE: Mapping[str, DescribedColumn] = {
    "made_at": DescribedColumn(
        MOMENT,
        "As of when the first version that has it was complete (UTC); NULL if it was not.",
    ),
    "built_at": DescribedColumn(
        MOMENT,
        "When the tables of that version were built (UTC), as its manifest says, too: its name is"
        " not known while it is written.",
    ),
}


def _verdict(of: str, known: str) -> DescribedColumn:
    return DescribedColumn(
        FLAG,
        f"Whether {of}: told by the first version that {known}, and not changed; NULL until then.",
    )


CLAIMS = DescribedTable(
    schema="main",
    name="forecast_claims",
    base="forecast_claims",
    about="business",
    description=(
        "What was claimed of the next order of a buyer, and was it right? One row per buyer and"
        " purchase day whose window was published here before it was over. A claim stays what the"
        " first version said that had it; whether it was right is added once."
    ),
    key=("buyer_id", "ordered_date"),
    columns={
        "buyer_id": DescribedColumn(TEXT, "The buyer.", parent=("buyers", "buyer_id")),
        "ordered_date": DescribedColumn(
            DATE, "The day of its last purchase then, from which on the next one was awaited."
        ),
        **MADE,
        "figures_up_to": DescribedColumn(DATE, "The last day that was known then."),
        "purchase_count": DescribedColumn(
            NUMBER, "How many purchases of the buyer were known then.", "count"
        ),
        **{
            f"{end}_day_{share}": DescribedColumn(
                DATE, f"The {end} day of the window of {share} %; NULL if there was none."
            )
            for share in SHARES
            for end in ("first", "last")
        },
        "low_amount": DescribedColumn(
            AMOUNT, "The amount of the next purchase is from this on, with 80 %.", CURRENCY
        ),
        "high_amount": DescribedColumn(AMOUNT, "And up to this.", CURRENCY),
        "order_in_week_share": DescribedColumn(
            SHARE,
            "Share of buyers like it that ordered within the seven days after `figures_up_to`.",
        ),
        "is_due": DescribedColumn(FLAG, "Whether the buyer was due then."),
        **{
            f"is_right_{share}": _verdict(
                f"the next purchase was in the window of {share} %",
                "knows of its last day, if that was still to come when it was first published",
            )
            for share in SHARES
        },
        "is_amount_right": _verdict(
            "the amount of the next purchase was as claimed", "knows of it, if it has an amount"
        ),
    },
)
MONTH_CLAIMS = DescribedTable(
    schema="main",
    name="forecast_month_claims",
    base="forecast_month_claims",
    about="business",
    description=(
        "What was claimed of the sales of a month, and was it right? One row per month and last day"
        " that was known when it was published here. A claim stays what the first version said that"
        " had it; whether it was right is added once."
    ),
    key=("month_start", "figures_up_to"),
    columns={
        "month_start": DescribedColumn(DATE, "The first day of the month."),
        "figures_up_to": DescribedColumn(DATE, "The last day that was known then."),
        **MADE,
        "is_next": DescribedColumn(FLAG, "Whether it was the month after the running one then."),
        "known_amount": DescribedColumn(
            AMOUNT, "Sales of the month up to the last day that was known.", CURRENCY
        ),
        **{
            f"{end}_{share}": DescribedColumn(
                AMOUNT, f"The {end} end of the window of {share} % for its sales.", CURRENCY
            )
            for share in SHARES
            for end in ("low", "high")
        },
        **{
            f"is_right_{share}": _verdict(
                f"the sales of the month were in the window of {share} %", "knows of its last day"
            )
            for share in SHARES
        },
    },
)
