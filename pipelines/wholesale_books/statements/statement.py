"""Statement: what one party has open, and what was paid in a period, with a proof of it.

The proof is a digest of keys, days, amounts, states, the moment and the settings that count, and of
no name: an erasure leaves it, and whoever has the warehouse can compute it anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from hashlib import sha256

import msgspec

from wholesale.errors import counted, decimal_text
from wholesale_books.statements.moment import Reading
from wholesale_books.statements.rows import Kind, Order, Source
from wholesale_elt.dashboard import Formats
from wholesale_elt.figures import NO_CURRENCY

PROOF_DIGITS = 16
FORM = 1
"""Of what the proof is computed: raised when that changes, so that no other cause is looked for."""
SECTIONS: Mapping[str, tuple[str, str]] = {
    "owed": ("Owed", "Sent, and not paid."),
    "unsent": ("Not sent yet", "Ordered, not paid, and not known to be sent."),
    "credit": ("Returns not settled", "Orders below zero."),
    "sent_back": ("Sent back", "Not paid, and nothing is owed of it."),
    "unknown": ("Not known", "States that no setting gives a meaning; in no sum."),
    "settled": ("Paid in the period", "Seen on the first day on which it was read as paid."),
    "refunded": ("Paid back in the period", "Seen on the first day on which it was read so."),
    "cancelled": (
        "Cancelled afterwards",
        "Cancelled or gone in the period, and ordered before it or paid already.",
    ),
    "ordered": ("Ordered in the period", "Found in it, too, if it was ordered before."),
}
"""The sections by name, in their order: a title, and what they have."""
OF_VENDORS: Mapping[str, tuple[str, str]] = {
    "owed": ("Owed by buyers", "Sent, and not paid by the buyer."),
    "sent_back": ("Sent back", "Not paid, and no buyer owes it."),
    "settled": ("Paid by buyers in the period", SECTIONS["settled"][1]),
    "refunded": ("Paid back to buyers in the period", SECTIONS["refunded"][1]),
}
"""Those that a vendor's statement words otherwise: of its orders the buyers owe and pay."""
BUCKETS: Mapping[str, str] = {
    "over 90": "over 90 days past due",
    "61-90": "61 to 90 days past due",
    "31-60": "31 to 60 days past due",
    "1-30": "1 to 30 days past due",
    "not due": "not due",
    "unknown": "due day not known",
}
"""What `due_bucket` means, in the order of statements."""
DUE_FROM: Mapping[str, str] = {
    "invoiced": "invoice",
    "sent": "sent",
    "ordered": "order",
    "unknown": "not known",
}
"""From which day the terms count to the due day."""
write = Formats({"currency": NO_CURRENCY})


@dataclass(frozen=True, slots=True)
class Total:
    """What some orders come to: those without an amount are counted, and in no sum."""

    count: int
    amount: Decimal
    without_amount: int

    @property
    def text(self) -> str:
        """The sum; not known, if none of the orders has an amount."""
        return NOT_KNOWN if self.count and self.count == self.without_amount else exact(self.amount)


NOT_KNOWN = "not known"


@dataclass(frozen=True)
class Statement:
    """What is said of one `party` of a kind, with the name that the policy allows."""

    of: Kind
    party: str
    name: str | None
    reading: Reading
    settings: Mapping[str, str]
    uncertified: Sequence[str]
    orders: Sequence[Order]

    @cached_property
    def proof(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of what counts, line by line."""
        digest = sha256()
        for line in self._canonical():
            digest.update(msgspec.json.encode(line, order="deterministic") + b"\n")
        return digest.hexdigest()[:PROOF_DIGITS]

    @cached_property
    def sections(self) -> Mapping[str, Sequence[Order]]:
        """The orders by section, in the order of sections, without empty ones."""
        found: dict[str, list[Order]] = {name: [] for name in SECTIONS}
        for order in self.orders:
            found[order.section].append(order)
        return {name: orders for name, orders in found.items() if orders}

    def words(self, section: str) -> tuple[str, str]:
        """The title of a section, and what it has."""
        own = OF_VENDORS if self.of == "vendor" else {}
        return own.get(section, SECTIONS[section])

    @property
    def totals(self) -> Mapping[str, Total]:
        """By section; what is owed is told even if it is nothing, as what was paid."""
        return {
            name: total_of(self.sections.get(name, ()))
            for name in SECTIONS
            if name in ("owed", "settled") or name in self.sections
        }

    @property
    def overdue(self) -> Total:
        return total_of([order for order in self.orders if order.is_overdue])

    @property
    def buckets(self) -> Iterator[tuple[str, Sequence[Order]]]:
        """What is owed by how long it is past due, the longest first, each by due day."""
        owed = self.sections.get("owed", ())
        for name in BUCKETS:
            if found := [order for order in owed if order.due_bucket == name]:
                yield name, found

    @property
    def currency(self) -> str:
        return self.settings["currency"]

    @property
    def notes(self) -> Iterator[str]:
        """What has to be known of it, besides as of when it was read."""
        if self.reading.days_late:
            yield (
                f"All orders were read {counted(self.reading.days_late, 'day')} after the day: what"
                " was paid, sent or cancelled in between counts as if it had been on the day."
            )
        if self.uncertified:
            names = " and ".join(self.uncertified)
            yield f"The list of {names} was not certified complete by then."
        named = {each.currency for each in self.orders if each.currency}
        if others := sorted(named - {self.currency}):
            told = "" if self.currency == NO_CURRENCY else f", and count as {self.currency}"
            yield f"Some orders name {', '.join(others)}{told}."

    @property
    def stem(self) -> str:
        """The name of its files, without an ending; none of two parties is the same."""
        period = self.reading.period
        return f"{self.of}-{_plain(self.party)}-{period.first}-{period.day}"

    def _canonical(self) -> Iterator[object]:
        reading = self.reading
        yield {
            "form": FORM,
            "of": self.of,
            "key": self.party,
            "from": reading.period.first,
            "day": reading.period.day,
            "moment": reading.moment,
            "complete_as_of": reading.complete_as_of,
            "news_from": reading.news_from,
            "settings": self.settings,
        }
        for each in self.orders:
            yield [
                *(each.section, each.order_id, each.order_number, each.ordered_date),
                *(each.sent_date, each.due_date, each.due_from, each.due_bucket, each.is_overdue),
                None if each.amount is None else decimal_text(each.amount),
                *(each.order_status, each.payment_status, each.seen_date),
            ]


def statements_in(source: Source, party: str | None = None) -> Iterator[Statement]:
    """Of each party that has orders to list; or of the one, which may have none."""
    names, found = source.names(), False
    for key, orders in source.parties(party):
        found = True
        yield _statement(source, key, names.get(key), orders)
    if party is not None and not found:
        yield _statement(source, party, names.get(party), ())


def total_of(orders: Sequence[Order]) -> Total:
    known = [order.amount for order in orders if order.amount is not None]
    return Total(len(orders), sum(known, Decimal(0)), len(orders) - len(known))


def exact(amount: Decimal | None) -> str:
    """All its digits, two decimals at least, in groups of three."""
    return NOT_KNOWN if amount is None else write.exact(amount)


def _statement(source: Source, party: str, name: str | None, orders: Sequence[Order]) -> Statement:
    return Statement(
        of=source.of,
        party=party,
        name=name,
        reading=source.reading,
        settings=source.settings,
        uncertified=source.uncertified,
        orders=orders,
    )


def _plain(key: str) -> str:
    """An id as a part of a name of a file: as it is, or if that cannot be, a digest of it."""
    is_plain = key.isascii() and all(c.isalnum() or c in "-_" for c in key) and len(key) <= 64
    is_one = is_plain and key == key.lower()  # some disks take `A` and `a` for one name
    return key if is_one else sha256(key.encode()).hexdigest()[:32]
