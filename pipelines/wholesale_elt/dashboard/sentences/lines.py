"""Lines: each task as a line with a reason in words, or several of a kind as one.

They are those of the page, to the word: `todo/lines.js` there, which a test holds equal.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_objects
from wholesale_elt.dashboard.entry import NOTHING
from wholesale_elt.dashboard.sentences.buyers import (
    due_buyers,
    silent_buyer,
    silent_buyers,
    unusual_sales,
)
from wholesale_elt.dashboard.sentences.formats import (
    Formats,
    address,
    count,
    day_text,
    plural,
    product,
    word,
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
    number_of,
)
from wholesale_elt.dashboard.sentences.notices import Age
from wholesale_elt.dashboard.sentences.said import said
from wholesale_elt.dashboard.tasks import TOTALS, USUAL, largest_of, rows_of

OF_STATE = {"order_status", "payment_status"}


def lines_of(
    connection: duckdb.DuckDBPyConnection, write: Formats, age: Age
) -> tuple[Sequence[Line], int]:
    """The lines, the late ones first, then by money, where more than two of a kind are told in one;
    and how many orders tell no state."""
    [usual] = read_objects(connection, USUAL)
    told = Told(write, age, usual["usual_days_to_confirm"])
    found = [
        line
        for name, kind in _read_kinds(connection).items()
        if not (name == "due" and age.is_outdated)
        for line in _lines(told, name, kind)
    ]
    found.sort(key=lambda line: (-_rank(line), -abs(line.money or Decimal(0))))
    return found, int(usual["stateless_count"])


def _rank(line: Line) -> int:
    """Who is due comes among what is late."""
    return LATE if line.kind == "due" else line.urgency


def _read_kinds(connection: duckdb.DuckDBPyConnection) -> Mapping[str, Kind]:
    totals = {row["kind"]: row for row in read_objects(connection, TOTALS)}
    found = {}
    for name in IN_ORDER:
        rows = read_objects(connection, rows_of(name))
        if rows:
            [largest] = read_objects(connection, largest_of(name))
            found[name] = Kind(rows, largest, totals[name])
    return found


def _lines(told: Told, name: str, kind: Kind) -> Iterator[Line]:
    single, many, most = IN_ORDER[name]
    all_of_them = int(kind.total["row_count"])
    own = kind.rows[: most + 1 if all_of_them == most + 1 else most] if single else ()
    for row in own:
        assert single
        yield single(told, row)
    if rest := kind.rows[len(own) :]:
        amount = amount_of(kind.total)
        left = None if amount is None else amount - sum(amount_of(row) or 0 for row in own)
        yield many(told, Kind(rest, kind.largest, kind.total), all_of_them - len(own), left)


def _days(total: Json) -> str:
    least, most = total["least_days"], total["most_days"]
    return plural(least, "day") if least == most else f"{count(least)} to {plural(most, 'day')}"


def _in_state(row: Json) -> str:
    if row["field_name"] not in OF_STATE:
        return address("vendors")
    choices = {"period": "all_time", row["field_name"]: row["state"].replace(",", "%2C")}
    return address("orders", **choices)


def _unknown_state(told: Told, row: Json) -> Line:
    """A state that no setting names, or words of vendors: terms, and when it ships."""
    is_state, count_ = row["field_name"] in OF_STATE, int(row["order_count"])
    are_terms = row["field_name"] == "order_terms"
    has = "has" if count_ == 1 else "have"
    if is_state:
        of = "this state of payment" if row["field_name"] == "payment_status" else "this state"
        title, unit = f"Say what \u201c{word(row['state'])}\u201d means", "in doubt"
        reason = (
            f"{plural(count_, 'order')} {has} {of}, and nobody has said what it means. Until the"
            " settings do, they count neither as waiting nor as owed nor as done."
        )
    else:
        end = "is due" if are_terms else "means"
        title = f"Say {'when' if are_terms else 'what'} \u201c{row['state']}\u201d {end}"
        unit = "in doubt" if are_terms else "ordered"
        reason = (
            f"{plural(count_, 'unpaid order' if are_terms else 'order')} {has} these"
            f" {'terms' if are_terms else 'words'} of the vendor, and the settings do not say"
            f" {'how many days they give' if are_terms else 'what they mean'}. Until they do, it is"
            f" not known when"
            f" {'the money is due' if are_terms else 'the vendor promises to ship'}."
        )
    urgency = LATE if is_state else SOON
    to = _in_state(row)
    return Line("unknown_state", urgency, title, said(reason), amount_of(row), unit, to)


def _unknown_states(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    names = ", ".join(f"\u201c{word(row['state'])}\u201d" for row in kind.rows[:3])
    others = " and others" if count_ > 3 else ""
    return Line(
        *("unknown_state", LATE),
        f"Say what {count(count_)} more states or words of vendors mean",
        said(f"The settings do not say what these mean: {names}{others}."),
        amount,
        "in doubt",
        list_of("unknown_state"),
    )


def _overdue(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    largest, buyers, is_one = kind.largest, int(kind.total["buyer_count"]), count_ == 1
    if is_one:
        title = f"Remind {told.name(largest)} of a bill"
    else:
        whom = told.name(largest) if buyers == 1 else f"{count(buyers)} buyers"
        title = f"Remind {whom} of {count(count_)} bills"
    which = (
        said("Order ", told.order(largest, number_of(largest)), " from ")
        if is_one
        else said(
            "Largest: ",
            *(told.link(largest), f", {told.write.amount(largest['amount'])}, from "),
        )
    )
    on = largest["ordered_date"]
    reason = said(
        f"Shipped, not paid, and past {'its due day' if is_one else 'their due days'}, or where"
        f" none is known, ordered over {told.write.meta['overdue_days']} days {told.age.ago()}. ",
        *(which, day_text(on, has_year=True) if on else NOTHING, "."),
    )
    return Line("overdue", LATE, title, reason, amount, "owed", list_of("overdue"))


def _unconfirmed(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    largest, is_one = kind.largest, count_ == 1
    usual = "" if told.usual_days is None else f"; usual is {plural(told.usual_days, 'day')}"
    reason = said(
        f"Waiting {_days(kind.total)}{told.age.counted()}{usual}. ",
        *("From " if is_one else "Largest: ", told.link(largest)),
        "." if is_one else f", {told.write.amount(largest['amount'])}.",
    )
    number = largest["order_number"] or ""
    title = f"Confirm order {number}" if is_one else f"Confirm {count(count_)} orders"
    to = address("order", number_of(largest)) if is_one else list_of("unconfirmed")
    return Line("unconfirmed", SOON, title, reason, amount, "waiting", to)


def _old(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    oldest = kind.rows[0]
    reason = said(f"Ordered {_days(kind.total)} {told.age.ago()}, and never sent.")
    if count_ > 1:
        reason = said(reason, " Oldest: that of ", told.link(oldest), ".")
    title = (
        f"Send or cancel order {oldest['order_number'] or ''}"
        if count_ == 1
        else f"Send or cancel {count(count_)} old orders"
    )
    return Line("old", SOME_TIME, title, reason, amount, "in doubt", list_of("old"))


def _near_miss(told: Told, row: Json) -> Line:
    by_value = row["value_shortfall"] is not None and Decimal(row["value_shortfall"]) > 0
    minimum = told.write.plain(row["minimum_order_value"])
    short = (
        f"{told.write.amount(row['value_shortfall'])} below the {minimum} minimum"
        if by_value
        else f"{plural(row['quantity_shortfall'] or 0, 'piece')} below the minimum of"
        f" {count(row['minimum_order_quantity'])}"
    )
    reason = said(
        "Order ",
        *(told.order(row, number_of(row)), f" is {short} of ", told.link(row, "vendor")),
        f"; a carton of {product(row)} costs {told.write.amount(row['carton_amount'])}.",
    )
    title = f"Offer {told.name(row)} one more carton"
    to = address("order", number_of(row))
    return Line("near_misses", SOME_TIME, title, reason, amount_of(row), "order", to)


def _near_misses(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    first = kind.rows[0]
    return Line(
        *("near_misses", SOME_TIME),
        f"Offer {count(count_)} more {'buyer' if count_ == 1 else 'buyers'} one more carton",
        said(
            "One more carton takes each order over its vendor\u2019s minimum. Largest: ",
            *(told.link(first), f", {told.write.amount(first['amount'])}."),
        ),
        amount,
        "orders",
        list_of("near_misses"),
    )


def _below_list(told: Told, kind: Kind, count_: int, amount: Decimal | None) -> Line:
    largest = kind.largest
    price, listed = (told.write.exact(largest[name]) for name in ("unit_price", "list_price"))
    return Line(
        *("below_list", SOME_TIME),
        f"Check {plural(count_, 'line')} sold below the list price",
        said(
            f"In the last {plural(told.write.meta['recent_days'], 'day')}. Largest: ",
            *(told.link(largest), f", {product(largest)}, at {price} instead of {listed}."),
        ),
        None if amount is None else -amount,
        "lost",
        list_of("below_list"),
    )


Single = Callable[[Told, Json], Line]
Many = Callable[[Told, Kind, int, Decimal | None], Line]
IN_ORDER: Mapping[str, tuple[Single | None, Many, int]] = {
    "unknown_state": (_unknown_state, _unknown_states, 2),
    "due": (None, due_buyers, 0),
    "silent": (silent_buyer, silent_buyers, 2),
    "unusual": (None, unusual_sales, 0),
    "overdue": (None, _overdue, 0),
    "unconfirmed": (None, _unconfirmed, 0),
    "old": (None, _old, 0),
    "near_misses": (_near_miss, _near_misses, 1),
    "below_list": (None, _below_list, 0),
}
"""How a task of a kind is told, how several are, and how many stand on lines of their own."""
