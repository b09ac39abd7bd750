"""Habits of buyers: who orders, from whom, how much, and how it is paid."""

from random import Random
from typing import NamedTuple

from wholesale_sandbox.contract import PAYMENT_METHOD_TYPES
from wholesale_sandbox.values import chance, encoded, members
from wholesale_sandbox.world.parties import Buyer, BuyerUser

CARD, CHECK, NET_TERMS, WIRE = PAYMENT_METHOD_TYPES.value

_DAYS_TO_PAY = {CARD: 0, CHECK: 14, NET_TERMS: 30, WIRE: 7}


class Orderer(NamedTuple):
    """A user who orders: members of the order's JSON, and the name as JSON."""

    addresses: str
    parties: str
    name: str


class BuyingHabits(NamedTuple):
    """How a buyer orders and pays.

    `payment`: members of the order's JSON. `price_list`: its number, None for default pricing.
    `vendors`: 16 numbers of vendors, the preferred ones several times.
    """

    orderers: tuple[Orderer, ...]
    payment: str
    takes_card: bool
    days_to_pay: int
    price_list: int | None
    volume: int
    vendors: tuple[int, ...]


def habits_of(
    seed: int, buyers: list[Buyer], shares: list[int], vendors: int
) -> list[BuyingHabits]:
    """`shares`: how often each buyer orders; who orders often orders more at a time."""
    return [
        _habits(chance(seed, "account", number), buyer, 3 + share.bit_length() // 3, vendors)
        for number, (buyer, share) in enumerate(zip(buyers, shares, strict=True))
    ]


def order_shares(seed: int, buyers: int) -> list[int]:
    """How often each buyer orders: few do often, many seldom (Zipf)."""
    ranks = list(range(buyers))
    chance(seed, "ranks").shuffle(ranks)
    return [1_000_000 // (rank + 4) for rank in ranks]


def _habits(rng: Random, buyer: Buyer, volume: int, vendors: int) -> BuyingHabits:
    method = rng.choice((CARD, CARD, CHECK, NET_TERMS, NET_TERMS, NET_TERMS, WIRE))
    preferred = [min(rng.randrange(vendors), rng.randrange(vendors)) for _ in range(5)]
    return BuyingHabits(
        orderers=tuple(_orderer(buyer, user) for user in buyer.users if user.is_active),
        payment=_payment(method, buyer),
        takes_card=method == CARD,
        days_to_pay=_DAYS_TO_PAY[method],
        price_list=buyer.price_list,
        volume=volume,
        vendors=tuple(
            preferred[min(rng.randrange(5), place % 5)] if place < 13 else rng.randrange(vendors)
            for place in range(16)
        ),
    )


def _orderer(buyer: Buyer, user: BuyerUser) -> Orderer:
    addresses = {
        **_address("shipping", user.full_name, user.email, buyer),
        **_address("billing", buyer.users[0].full_name, buyer.record["email"], buyer),
    }
    parties: dict[str, object] = {
        "buyer_id": buyer.id,
        "buyer_user_id": user.id,
        "buyer_company_name": buyer.company_name,
    }
    return Orderer(members(addresses), members(parties), encoded(user.full_name))


def _address(role: str, name: str, email: str, buyer: Buyer) -> dict[str, object]:
    of_buyer = ("phone", "address1", "address2", "city", "state", "country", "zip")
    return {
        f"{role}_name": name,
        f"{role}_email": email,
        f"{role}_company": buyer.company_name,
        **{f"{role}_{part}": buyer.record[part] for part in of_buyer},
    }


def _payment(method: str, buyer: Buyer) -> str:
    instructions: dict[str, str | None] = dict.fromkeys(
        ("pay_to", "send_to_address", "memo", "other")
    )
    if method == CHECK:
        instructions["pay_to"] = "Wholesale Collections LLC"
        instructions["send_to_address"] = "P.O. Box 4410, Newark, NJ 07101"
        instructions["memo"] = buyer.company_name
    if method == WIRE:
        instructions["other"] = "Wire details are on the invoice."
    prefix = "billing_payment_method"
    return members(
        {
            f"{prefix}_type": method,
            **{f"{prefix}_instruction_{name}": text for name, text in instructions.items()},
        }
    )
