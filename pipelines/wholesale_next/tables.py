"""Tables of claims in each version: what was told of the next order of each buyer."""

from wholesale_elt.publish import DescribedColumn, DescribedTable

AMOUNT, TEXT, NUMBER, SHARE = "DECIMAL(38,9)", "VARCHAR", "BIGINT", "DECIMAL(38,6)"
DATE, FLAG, MOMENT = "DATE", "BOOLEAN", "TIMESTAMP WITH TIME ZONE"
CURRENCY = "currency of the account"
SHARES = (50, 80, 90)
"""The shares of the windows, in percent."""


def _verdict(of: str) -> DescribedColumn:
    return DescribedColumn(
        FLAG,
        f"Whether the next purchase was in the {of}: told by the first version that knows of its"
        " last day, and never changed; NULL until then, and if that day was over when it was first"
        " published.",
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
        "made_at": DescribedColumn(
            MOMENT,
            "As of when the first version that has it was complete (UTC); NULL if it was not.",
        ),
        "built_at": DescribedColumn(
            MOMENT,
            "When the tables of that version were built (UTC), as its manifest says, too: its name"
            " is not known while it is written.",
        ),
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
        **{f"is_right_{share}": _verdict(f"window of {share} %") for share in SHARES},
        "is_amount_right": DescribedColumn(
            FLAG,
            "Whether the amount of the next purchase was as claimed: told by the first version that"
            " knows of its day, and never changed; NULL until then, and if it has no amount.",
        ),
    },
)
VERDICTS = (*(f"is_right_{share}" for share in SHARES), "is_amount_right")
"""The columns that are added once; all others are the claim."""
