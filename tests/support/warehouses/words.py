"""Words: other words of a service for the states of its orders, and the settings that name them."""

import json
from collections.abc import Mapping, Sequence

import pytest

WORDS: Sequence[Mapping[str, str]] = (
    dict(received="placed", confirmed="acknowledged", shipped="in transit", delivered="fulfilled"),
    dict(received="processing", confirmed="accepted", shipped="fulfilled", delivered="completed"),
    dict(received="NEW", confirmed="Ok", shipped="Unterwegs", delivered="Geliefert ✓"),
    dict(received="shipped", confirmed="received", shipped="delivered", delivered="confirmed"),
    dict(received="o'clock", confirmed="a, b", shipped='"sent"', delivered="delivered"),
)
PAID: Sequence[Mapping[str, str]] = (
    {},
    {},
    {"unpaid": "offen", "paid": "bezahlt", "voided": "void"},
    {"unpaid": "paid", "paid": "unpaid"},
    {},
)
"""What the words of payments are in each case."""
NAMED = {
    "received": "waiting_order_statuses",
    "confirmed": "accepted_order_statuses",
    "shipped": "sent_order_statuses",
    "delivered": "done_order_statuses",
    "cancelled": "cancelled_order_statuses",
    "unpaid": "open_payment_statuses",
    "paid": "settled_payment_statuses",
    "voided": "settled_payment_statuses",
}
RAW = ("wholesale_raw.orders",)
OBSERVED = ("wholesale_raw.orders__observations",)
HISTORY = ("wholesale_history.obs_orders",)


def renamed(field: str, words: Mapping[str, str], tables: Sequence[str] = RAW) -> list[str]:
    """Give states of orders these other words in these tables."""
    quoted = {old: new.replace("'", "''") for old, new in words.items()}
    cases = " ".join(f"when '{old}' then '{new}'" for old, new in quoted.items())
    return [
        f"update {table} set {field} = case lower({field}) {cases} else {field} end"
        for table in tables
        if words
    ]


def renamed_throughout(words: Mapping[str, str], paid: Mapping[str, str]) -> list[str]:
    """The same in all that was observed, as if the service had never had other words."""
    return [
        *renamed("status", words, (*RAW, *OBSERVED)),
        *renamed("payment_status", paid, (*RAW, *OBSERVED)),
        *renamed("order_status", lowered(words), HISTORY),
        *renamed("payment_status", lowered(paid), HISTORY),
    ]


def lowered(words: Mapping[str, str]) -> Mapping[str, str]:
    """As builds noted them."""
    return {old: new.lower() for old, new in words.items()}


def set_words(monkeypatch: pytest.MonkeyPatch, words: Mapping[str, str]) -> None:
    """Say in the settings what these words mean; of a field all, or none."""
    meant = {"voided": "voided"} if "paid" in words else {}
    lists: dict[str, list[str]] = {}
    for old, new in {**meant, **words}.items():
        lists.setdefault(NAMED[old], []).append(new)
    for name, states in lists.items():
        monkeypatch.setenv(f"BUILD__{name.upper()}", json.dumps(states))
