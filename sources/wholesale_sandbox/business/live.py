"""Live business: orders arrive and change while the sandbox serves them."""

import string
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Literal, NamedTuple

from wholesale_sandbox.business import edits
from wholesale_sandbox.business.edits import NotApplicable
from wholesale_sandbox.storage import Storage
from wholesale_sandbox.values import chance, guid, of
from wholesale_sandbox.world import World

Action = Literal[
    "order placed",
    "order moved on",
    "comment added",
    "quantity changed",
    "order corrected",
    "order deleted",
    "price changed",
    "variant repriced",
    "item added",
    "order cancelled",
    "item withdrawn",
    "buyer moved",
]

# How many of a hundred changes; those of a day have others.
FREQUENCIES: dict[Action, int] = {
    "order placed": 44,
    "order moved on": 26,
    "comment added": 11,
    "quantity changed": 8,
    "order deleted": 2,
    "price changed": 4,
    "variant repriced": 3,
    "item added": 2,
}

A_DAY: Mapping[Action, int] = MappingProxyType(
    {
        "order deleted": 1,
        "order cancelled": 3,
        "order moved on": 26,
        "quantity changed": 4,
        "comment added": 3,
        "price changed": 3,
        "item withdrawn": 1,
        "buyer moved": 1,
        "order corrected": 2,
        "order placed": 20,
    }
)
"""How many changes a day has: first of what was there in the morning, then new orders."""

_DRAFT = "draft"  # §2.1
_TRIES = 100


class Step(NamedTuple):
    """One step: `place`, from 0 up to 1 (excluded), picks the record, `detail` the change."""

    action: Action
    place: float
    detail: int


class Write(NamedTuple):
    """The new state of a record; without a body it is deleted."""

    resource: str
    id: str
    body: bytes | None
    parent_id: str | None = None


def next_step(rng: Random) -> Step:
    (action,) = rng.choices(tuple(FREQUENCIES), tuple(FREQUENCIES.values()))
    return Step(action, rng.random(), rng.getrandbits(32))


class Live:
    """Changes the records of a storage, at random times in a thread, or step by step.

    The same seed over the same records makes the same changes; only `now` differs.
    New orders are those of the world after its end, or copies of others if there is no world.
    """

    def __init__(
        self,
        storage: Storage,
        world: World | None,
        per_minute: float,
        seed: int,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._storage = storage
        self._world = world
        self._pause_seconds = 60 / per_minute
        self._seed = seed
        self._now = now
        # A reopened database has more orders, and so other draws: its changes do not repeat.
        self._rng = chance(seed, "live", storage.collection("orders").count())
        self._pauses = chance(seed, "pauses")
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)
        self._actions: dict[Action, Callable[[Step, datetime], list[Write]]] = {
            "order placed": self._place_order,
            "order moved on": self._move_order_on,
            "comment added": self._add_comment,
            "quantity changed": self._change_quantity,
            "order corrected": self._correct_order,
            "order deleted": self._delete_order,
            "price changed": self._change_price,
            "variant repriced": self._reprice_variant,
            "item added": self._add_item,
            "order cancelled": self._cancel_order,
            "item withdrawn": self._withdraw_item,
            "buyer moved": self._move_buyer,
        }

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop the changes; returns when the last one is done."""
        self._stopped.set()
        self._thread.join()

    def step(self) -> Step | None:
        """Make the next change that the records allow; None if they allow none."""
        return self._make(lambda: next_step(self._rng))

    def day(self) -> None:
        """Make the changes of a day, as far as the records allow them."""
        for action, count in A_DAY.items():
            for _ in range(count):
                self._make(partial(self._draw, action))

    def _draw(self, action: Action) -> Step:
        return Step(action, self._rng.random(), self._rng.getrandbits(32))

    def _make(self, draw: Callable[[], Step]) -> Step | None:
        for _ in range(_TRIES):
            step = draw()
            with self._storage.transaction():
                # All changes are computed before any is written, as undoing would cost more.
                try:
                    writes = self._actions[step.action](step, self._now())
                except NotApplicable:
                    continue
                for write in writes:
                    self._write(write)
            return step
        return None

    def _run(self) -> None:
        while not self._stopped.wait(self._pause_seconds * self._pauses.uniform(0.5, 1.5)):
            self.step()

    def _place_order(self, step: Step, at: datetime) -> list[Write]:
        if self._world is not None:
            return [Write("orders", *self._later_order(self._world, at))]
        pattern = self._pick("orders", step.place)
        order_number = following(self._newest_order_number())
        order_id = guid(self._seed, "live order", order_number)
        identity = {"id": order_id, "order_number": order_number}
        body = edits.order_again(pattern, at, step.detail, **identity)
        return [Write("orders", order_id, body)]

    def _later_order(self, world: World, at: datetime) -> tuple[str, bytes]:
        orders = self._storage.collection("orders")
        newest = self._newest_order_number()
        number = max(len(world.orders), int(newest) if newest.isdecimal() else 0)
        while orders.get(world.orders.later(number, of(at))[0]) is not None:
            number += 1
        return world.orders.later(number, of(at))

    def _newest_order_number(self) -> str:
        for newest in self._storage.collection("orders").page(0, 1, order="newest"):
            return edits.text(edits.read(newest), "order_number")
        return ""

    def _move_order_on(self, step: Step, at: datetime) -> list[Write]:
        return self._edited("orders", edits.move_on(self._pick_recent_order(step), at))

    def _cancel_order(self, step: Step, at: datetime) -> list[Write]:
        return self._edited("orders", edits.cancel(self._pick_recent_order(step), at))

    def _withdraw_item(self, step: Step, at: datetime) -> list[Write]:
        item = self._pick("items", step.place)
        return self._edited("items", edits.replace(item, at, "status", _DRAFT))

    def _move_buyer(self, step: Step, at: datetime) -> list[Write]:
        """A buyer gets the prices of another list."""
        buyer = self._pick("buyers", step.place)
        price_list = edits.read(self._pick("price_lists", step.detail / (1 << 32)))
        moved = edits.replace(buyer, at, "price_list_id", edits.text(price_list, "id"))
        return self._edited("buyers", moved)

    def _add_comment(self, step: Step, at: datetime) -> list[Write]:
        order = self._pick_recent_order(step)
        return self._edited("orders", edits.add_comment(order, at, step.detail))

    def _change_quantity(self, step: Step, at: datetime) -> list[Write]:
        order = self._pick_recent_order(step)
        return self._edited("orders", edits.change_quantity(order, at, step.detail))

    def _correct_order(self, step: Step, at: datetime) -> list[Write]:
        """Goods of an order of some weeks ago came back, or more were sent than it said."""
        order = self._pick("orders", 0.94 - 0.08 * step.place)
        return self._edited("orders", edits.change_quantity(order, at, step.detail))

    def _delete_order(self, step: Step, at: datetime) -> list[Write]:
        order = edits.read(self._pick("orders", step.place))
        if edits.text(order, "order_number") == self._newest_order_number():
            raise NotApplicable("its number would be given again")
        return [Write("orders", edits.text(order, "id"), None)]

    def _change_price(self, step: Step, at: datetime) -> list[Write]:
        price = self._pick("prices", step.place)
        return self._edited("prices", edits.reprice(price, at, step.detail))

    def _reprice_variant(self, step: Step, at: datetime) -> list[Write]:
        variant = self._pick("variants", step.place)
        return self._edited("variants", edits.reprice(variant, at, step.detail))

    def _add_item(self, step: Step, at: datetime) -> list[Write]:
        """A new item like another one, with its variants and their prices."""
        items, variants, prices = map(self._storage.collection, ("items", "variants", "prices"))
        pattern = self._pick("items", step.place)
        fields = edits.read(pattern)
        pattern_id = edits.text(fields, "id")
        code = f"{edits.text(fields, 'product_code')}-{step.detail:08x}"
        title = f"New: {edits.text(fields, 'title').removeprefix('New: ')}"
        item_id = guid(self._seed, "live item", code)
        if items.get(item_id) is not None:
            raise NotApplicable("it has been added before")
        item = edits.copy(pattern, at, id=item_id, title=title, product_code=code)
        writes = [Write("items", item_id, item)]
        of_parent = {"parent_id": item_id, "parent_title": title, "parent_product_code": code}
        children = variants.page(0, variants.count(pattern_id), parent_id=pattern_id)
        for number, child in enumerate(children, start=1):
            variant_id = guid(self._seed, "live variant", item_id, number)
            variant = edits.copy(child, at, id=variant_id, sku=f"{code}-{number}", **of_parent)
            writes.append(Write("variants", variant_id, variant, item_id))
            child_id = edits.text(edits.read(child), "id")
            for former_id in prices.ids_where("variant_id", child_id):
                price_id = guid(self._seed, "live price", former_id, variant_id)
                of_variant = {"id": price_id, "variant_id": variant_id, "item_id": item_id}
                price = edits.copy(prices.get(former_id) or b"", at, **of_variant)
                writes.append(Write("prices", price_id, price))
        return writes

    def _pick(self, resource: str, place: float) -> bytes:
        collection = self._storage.collection(resource)
        for body in collection.page(int(place * collection.count()), 1):
            return body
        raise NotApplicable(f"there are no {resource}")

    def _pick_recent_order(self, step: Step) -> bytes:
        """Mostly one of the newest records, sometimes an old one."""
        square = (1 - step.place) * (1 - step.place)
        return self._pick("orders", 1 - square * square)

    def _edited(self, resource: str, body: bytes) -> list[Write]:
        record_id = edits.text(edits.read(body), "id")
        return [
            Write(
                resource, record_id, body, self._storage.collection(resource).parent_of(record_id)
            )
        ]

    def _write(self, write: Write) -> None:
        collection = self._storage.collection(write.resource)
        if write.body is None:
            collection.delete(write.id)
        else:
            collection.put(write.id, write.body, parent_id=write.parent_id)


def following(order_number: str) -> str:
    """The next number: the trailing digits counted up, with the same width."""
    digits = order_number[len(order_number.rstrip(string.digits)) :]
    prefix = order_number.removesuffix(digits)
    return f"{prefix}{int(digits or 0) + 1:0{len(digits)}d}"
