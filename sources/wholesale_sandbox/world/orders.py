"""Orders: each is computed from the seed and its number; none is stored."""

from bisect import bisect_right
from itertools import accumulate

from msgspec import Raw

from wholesale_sandbox.values import (
    DAY,
    SECOND,
    Draws,
    NumberedIds,
    encoded,
    iso,
    literal,
    members,
    percent,
    text,
)
from wholesale_sandbox.world.assortment import Item
from wholesale_sandbox.world.calendar import DAYS, Calendar
from wholesale_sandbox.world.habits import BuyingHabits, habits_of, order_shares
from wholesale_sandbox.world.life import Life, life, placed
from wholesale_sandbox.world.parties import Buyer, Vendor
from wholesale_sandbox.world.pricing import PriceList
from wholesale_sandbox.world.vocabulary import BUYER_COMMENTS, VENDOR_COMMENTS
from wholesale_sandbox.world.wares import wares_by_vendor

_LINE_COUNTS = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 10, 12)
_FIRST_LINE_DRAW = 20
_DRAWS_PER_LINE = 3

_BUYER_COMMENTS = tuple(map(encoded, BUYER_COMMENTS))
_VENDOR_COMMENTS = tuple(map(encoded, VENDOR_COMMENTS))


class OrderWorld:
    """`BaseRecords` of the orders, sorted by `created_at`; a body is the full record of §2.4."""

    def __init__(
        self,
        seed: int,
        orders: int,
        calendar: Calendar,
        vendors: list[Vendor],
        buyers: list[Buyer],
        items: list[Item],
        price_lists: list[PriceList],
    ) -> None:
        self._count = orders
        self._calendar = calendar
        self._ids = NumberedIds(seed, "orders")
        self._later_ids = NumberedIds(seed, "later orders")
        self._draws = Draws(seed, "orders")
        self._wares = wares_by_vendor(len(vendors), items, price_lists)
        self._vendors = [_vendor_members(vendor) for vendor in vendors]
        self._vendor_names = [encoded(vendor.name) for vendor in vendors]
        shares = order_shares(seed, len(buyers))
        self._habits = habits_of(seed, buyers, shares, len(vendors))
        self._shares_up_to = list(accumulate(shares))
        joined = [buyer.joined_at for buyer in buyers]
        self._shares_by_day = [
            self._shares_up_to[max(0, bisect_right(joined, calendar.start + day * DAY) - 1)]
            for day in range(DAYS)
        ]

    def __len__(self) -> int:
        return self._count

    def id(self, number: int) -> str:
        return self._ids.id(number)

    def number(self, record_id: str) -> int | None:
        number = self._ids.number(record_id)
        return number if number is not None and number < self._count else None

    def updated_at(self, number: int) -> int:
        draws = self._draws(number)
        day = self._calendar.day(number)
        return self._life(number, day, self._draw_habits(day, draws), draws).updated_at

    def body(self, number: int) -> bytes:
        draws = self._draws(number)
        day = self._calendar.day(number)
        habits = self._draw_habits(day, draws)
        life = self._life(number, day, habits, draws)
        return self._body(self._ids.id(number), number, habits, life, draws)

    def later(self, number: int, at: int) -> tuple[str, bytes]:
        """Id and body of an order placed after the end of the world, at that moment.

        `number` goes on where those of the world end; the id is never one of theirs,
        not even of a larger world of the same seed.
        """
        draws = self._draws(number)
        record_id = self._later_ids.id(number)
        habits = self._draw_habits(DAYS - 1, draws)
        return record_id, self._body(record_id, number, habits, placed(at), draws)

    def _draw_habits(self, day: int, draws: tuple[int, ...]) -> BuyingHabits:
        share = draws[0] * self._shares_by_day[day] >> 64
        return self._habits[bisect_right(self._shares_up_to, share)]

    def _life(self, number: int, day: int, habits: BuyingHabits, draws: tuple[int, ...]) -> Life:
        fraction = draws[1] % SECOND if draws[4] % 3 == 0 else 0
        created_at = self._calendar.moment(number, day, draws[5], fraction)
        return life(created_at, self._calendar.end, habits.days_to_pay, *draws[6:10])

    def _body(
        self, record_id: str, number: int, habits: BuyingHabits, life: Life, draws: tuple[int, ...]
    ) -> bytes:
        orderer = habits.orderers[draws[11] % len(habits.orderers)]
        vendor = habits.vendors[draws[12] % len(habits.vendors)]
        lines, sub_total, discount = self._lines(vendor, habits, draws)
        total = sub_total - discount + _freight(sub_total, draws[14])
        fee = percent(total, 3) + 300 if habits.takes_card else 0
        return (
            f'{{"id":"{record_id}","order_number":"{number + 1:08d}","status":"{life.status}",'
            f'"sub_total":{literal(sub_total)},"total":"{text(total)}",'
            f'{orderer.addresses}"payment_status":"{life.payment_status}",'
            f'"transaction_fee":{literal(fee)},{habits.payment}'
            f'"order_line_items":[{lines}],"po_number":{_po_number(draws[15])},'
            f'"order_line_items_discount_amount":"{text(discount)}",'
            f'"order_comments":[{self._comments(vendor, orderer.name, life, draws[16])}],'
            f'"created_at":"{iso(life.created_at)}","updated_at":"{iso(life.updated_at)}",'
            f"{self._vendors[vendor]}{orderer.parties}"
            f'"invoice_status":"{life.invoice_status}"{_invoice(number, life)}}}'
        ).encode()

    def _lines(
        self, vendor: int, habits: BuyingHabits, draws: tuple[int, ...]
    ) -> tuple[str, int, int]:
        """The lines as JSON, the sum of their total prices and the sum of their discounts."""
        wares = self._wares[vendor]
        count = min(_LINE_COUNTS[draws[17] % len(_LINE_COUNTS)], len(wares))
        price_list = -1 if habits.price_list is None else habits.price_list
        lines = []
        taken: set[int] = set()
        sub_total = discounts = 0
        last = _FIRST_LINE_DRAW + count * _DRAWS_PER_LINE
        for first in range(_FIRST_LINE_DRAW, last, _DRAWS_PER_LINE):
            choice, amount, reduction = draws[first : first + _DRAWS_PER_LINE]
            # The square makes the first wares of a vendor the popular ones.
            place = choice * choice * len(wares) >> 32
            while place in taken:
                place = (place + 1) % len(wares)
            taken.add(place)
            ware = wares[place]
            unit_price, unit_price_literal = ware.unit_prices[price_list]
            quantity = ware.least + ware.multiple * (amount * amount * habits.volume >> 32)
            if amount % 17 == 0:
                quantity = ware.multiple  # below the minimum order quantity, where there is one
            total_price = quantity * unit_price
            discount = percent(total_price, 5 + reduction % 3 * 5) if reduction < 8000 else 0
            sub_total += total_price
            discounts += discount
            lines.append(
                f'{ware.head}{quantity},"unit_price":{unit_price_literal},'
                f'"total_price":{literal(total_price)},'
                f'"discount_amount":"{text(discount)}",{ware.tail}'
            )
        return ",".join(lines), sub_total, discounts

    def _comments(self, vendor: int, orderer: str, life: Life, draw: int) -> str:
        """None in two of three orders, else one to three, by turns of buyer and vendor."""
        chosen = draw % 100
        span = life.updated_at - life.created_at
        if chosen >= 35 or not span:
            return ""
        count = 1 if chosen >= 13 else 2 if chosen >= 4 else 3
        comments = []
        for place in range(count):
            author, bodies = (
                (orderer, _BUYER_COMMENTS)
                if (draw + place) % 2
                else (self._vendor_names[vendor], _VENDOR_COMMENTS)
            )
            body = bodies[(draw // 100 + place) % len(bodies)]
            at = iso(life.created_at + span * place // 4)
            comments.append(f'{{"author":{author},"body":{body},"created_at":"{at}"}}')
        return ",".join(comments)


def _freight(sub_total: int, draw: int) -> int:
    """The freight in the total; one order of three ships free."""
    return 0 if draw % 3 == 0 else percent(sub_total, 2 + draw % 9) + 5950


def _po_number(draw: int) -> str:
    """Two of five orders have one; some begin with a zero, some are blank."""
    choice = draw % 20
    if choice < 5:
        return f'"PO-{draw:05d}"'
    if choice < 8:
        return f'"{draw * 7:07d}"'
    return '""' if choice == 8 else "null"


def _invoice(number: int, life: Life) -> str:
    if life.invoiced_at is None:
        return ""
    return (
        f',"invoice_number":"INV-{number + 1:07d}","invoice_generated_at":"{iso(life.invoiced_at)}"'
    )


def _vendor_members(vendor: Vendor) -> str:
    return members(
        {
            "vendor_id": vendor.id,
            "vendor_name": vendor.name,
            "vendor_minimum_order_value": Raw(vendor.minimum.encode()),
        }
    )
