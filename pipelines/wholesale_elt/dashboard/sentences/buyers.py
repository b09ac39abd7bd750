"""Buyers: the lines of whom to call or offer something, and of what is out of the ordinary."""

from decimal import Decimal

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.sentences.formats import (
    address,
    count,
    day_text,
    plural,
    product,
)
from wholesale_elt.dashboard.sentences.line import (
    LATE,
    SOME_TIME,
    SOON,
    Kind,
    Line,
    Told,
    amount_of,
    list_of,
)
from wholesale_elt.dashboard.sentences.said import Words, said
from wholesale_elt.dashboard.sentences.singly import rhythm


def due_buyers(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    most, one = kind.largest, count_ == 1
    of_ten = int(10 * Decimal(most["order_in_week_share"]))  # no more than are counted
    return Line(
        *("due", SOON),
        f"Offer {count(count_)} due {'buyer' if one else 'buyers'} what they usually have",
        said(
            f"At least 5 in 10 like {'it' if one else 'them'} ordered within seven days"
            f"{told.age.counted()}. Largest: ",
            *(told.link(most), f", {of_ten} in 10."),
        ),
        amount,
        "usually",
        address("next", show="due"),
    )


def silent_buyer(told: Told, row: Json) -> Line:
    """One silent buyer: its rhythm, how long it has been silent, and what it bought last."""
    every, silent = row["median_days_between_orders"], row["days_since_last_order"]
    reason = said(f"Buys {rhythm(every, silent)}{told.age.counted()}. ")
    if row["order_id"]:
        item = f", {product(row)}" if row["item_title"] or row["product_id"] else ""
        basket = told.order(row, day_text(row["last_ordered_date"]))
        amount = told.write.amount(row["basket_amount"])
        reason = said(reason, "Last order ", basket, f": {amount}{item}.")
    title, to = f"Call {told.name(row)}", _on_sheet(row)
    return Line("silent", LATE, title, reason, amount_of(row), "a month", to)


def silent_buyers(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    others = " and others" if len(kind.rows) > 2 or count_ > len(kind.rows) else ""
    named = said(told.link(kind.rows[0]))
    if len(kind.rows) > 1:
        named = said(named, ", " if others else " and ", told.link(kind.rows[1]))
    return Line(
        *("silent", SOON),
        f"Call {count(count_)} more silent {'buyer' if count_ == 1 else 'buyers'}",
        said("Silent for longer than usual too: ", named, f"{others}."),
        amount,
        "a month",
        _on_sheet(kind.rows[0]),
    )


def unusual_sales(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    first = kind.largest
    called = said(_member(told, first))
    low, high = (told.write.amount(first[name]) for name in ("low_amount", "high_amount"))
    when = "in seven days to" if first["first_day"] < first["last_day"] else "on"
    return Line(
        *("unusual", SOME_TIME),
        f"See why {plural(count_, 'sales figure')} {'is' if count_ == 1 else 'are'} out of the"
        " ordinary",
        said(
            *("Largest: ", called, f", {told.write.amount(first['amount'])} {when}"),
            f" {day_text(first['last_day'])}, outside {low} to {high},"
            " as weeks of the year before would have it.",
        ),
        None,
        "",
        list_of("unusual"),
    )


def _member(told: Told, row: Json) -> Words | str:
    dimension, name = row["dimension"], row["member_name"]
    if dimension == "sales":
        return "all sales"
    if dimension == "account_manager":
        return str(name or row["member"])
    return Words(told.write.name(row["member"], name), address(dimension, row["member"]))


def _on_sheet(row: Json) -> str:
    """The call sheet, with a buyer at hand."""
    return address("calls", at=row["buyer_id"])
