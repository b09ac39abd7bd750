"""Drift: records change while their list is read, a set number of times a request."""

from collections.abc import Callable, Mapping
from datetime import datetime
from random import Random

from wholesale_sandbox.business import (
    CONSEQUENCES,
    NO_CONSEQUENCES,
    NotApplicable,
    edits,
    following,
    record_of,
    records,
)
from wholesale_sandbox.faults.dial_values import DriftKind
from wholesale_sandbox.faults.dials import Dials
from wholesale_sandbox.faults.records import NOTE
from wholesale_sandbox.responses import Refused
from wholesale_sandbox.storage import Storage
from wholesale_sandbox.values import chance, guid

PARENTS = {"variants": "items", "buyer_users": "buyers"}
MIX: Mapping[DriftKind, int] = {"insert": 2, "delete": 1, "edit": 4}

_ORDER_EDITS: tuple[Callable[[bytes, datetime, int], bytes], ...] = (
    lambda body, at, detail: edits.move_on(body, at),
    edits.add_comment,
    edits.change_quantity,
)
_TRIES = 20


class Drift:
    """The same seed over the same records and requests makes the same changes, but for times."""

    def __init__(self, storage: Storage, dials: Dials) -> None:
        self._storage = storage
        self._dials = dials
        self._actions: dict[DriftKind, Callable[[str, Random, datetime], None]] = {
            "insert": self._insert,
            "delete": self._delete,
            "edit": self._edit,
            "swap": self._swap,
            "silent": self._edit_silently,
            "note": self._note,
            "backward": self._edit_backward,
            "move": self._move,
        }

    def before_list(self, resource: str, request: int, now: datetime) -> None:
        """To be called before a list is read; `request` is the number of the request."""
        dials = self._dials
        if resource not in dials.drift_resources:
            return
        drawn = chance(dials.seed, "drift", request)
        if drawn.random() < dials.drift:
            self.change(resource, dials.drift_kind, drawn, now)

    def change(self, resource: str, how: DriftKind, drawn: Random, now: datetime) -> bool:
        """One change; False where the records allow none."""
        for _ in range(_TRIES):
            (action,) = drawn.choices(tuple(MIX), tuple(MIX.values())) if how == "mixed" else (how,)
            try:
                with self._storage.transaction():
                    self._actions[action](resource, drawn, now)
            except (NotApplicable, Refused):
                continue
            return True
        return False

    def _insert(self, resource: str, drawn: Random, now: datetime) -> None:
        """A copy of an existing record."""
        pattern = self._pick(resource, drawn)
        detail = drawn.getrandbits(32)
        record_id = guid(detail, "drift", resource, self._storage.changes.requests)
        if resource == "orders":
            body = edits.order_again(
                pattern, now, detail, id=record_id, order_number=self._next_order_number()
            )
        else:
            codes = {"product_code": f"D-{detail:08x}"} if resource == "items" else {}
            counts = {"variants_count": 0} if resource == "items" else {}
            body = edits.copy(pattern, now, id=record_id, **codes, **counts)
        parent_id = self._storage.collection(resource).parent_of(_id(pattern))
        self._storage.collection(resource).put(record_id, body, parent_id=parent_id)
        consequences = CONSEQUENCES.get(resource, NO_CONSEQUENCES)
        consequences.follow(self._storage, None, record_of(self._storage, resource, record_id))

    def _delete(self, resource: str, drawn: Random, now: datetime) -> None:
        records.delete(self._storage, resource, _id(self._pick(resource, drawn)))

    def _swap(self, resource: str, drawn: Random, now: datetime) -> None:
        self._insert(resource, drawn, now)
        self._delete(resource, drawn, now)

    def _edit(self, resource: str, drawn: Random, now: datetime) -> None:
        body = self._pick(resource, drawn)
        self._put(resource, _edited(resource, body, drawn, now))

    def _edit_silently(self, resource: str, drawn: Random, now: datetime) -> None:
        body = self._pick(resource, drawn)
        self._put(resource, edits.silently(_edited(resource, body, drawn, now), body))

    def _note(self, resource: str, drawn: Random, now: datetime) -> None:
        body = self._pick(resource, drawn)
        self._put(resource, edits.note(body, NOTE, drawn.getrandbits(32)))

    def _edit_backward(self, resource: str, drawn: Random, now: datetime) -> None:
        body = self._pick(resource, drawn)
        self._put(resource, edits.backward(_edited(resource, body, drawn, now), body))

    def _move(self, resource: str, drawn: Random, now: datetime) -> None:
        """A variant or a buyer user goes to another parent."""
        if resource not in PARENTS:
            raise NotApplicable(f"{resource} have no parents")
        child, parent = self._pick(resource, drawn), self._pick(PARENTS[resource], drawn)
        collection, parent_id = self._storage.collection(resource), _id(parent)
        if collection.parent_of(_id(child)) == parent_id:
            raise NotApplicable("it is there already")
        if resource == "variants":
            sent = {"parent_id": edits.read(parent)["id"]}
            records.update(self._storage, resource, _id(child), sent, now=now)
        else:
            collection.put(_id(child), edits.touch(child, now), parent_id=parent_id)

    def _put(self, resource: str, body: bytes) -> None:
        collection, record_id = self._storage.collection(resource), _id(body)
        collection.put(record_id, body, parent_id=collection.parent_of(record_id))

    def _pick(self, resource: str, drawn: Random) -> bytes:
        collection = self._storage.collection(resource)
        for body in collection.page(int(drawn.random() * collection.count()), 1):
            if collection.get(_id(body)) is not None:
                return body
        raise NotApplicable(f"there are no {resource}")

    def _next_order_number(self) -> str:
        (newest,) = self._storage.collection("orders").page(0, 1, order="newest")
        return following(edits.text(edits.read(newest), "order_number"))


def _edited(resource: str, body: bytes, drawn: Random, now: datetime) -> bytes:
    detail = drawn.getrandbits(32)
    if resource == "orders":
        return drawn.choice(_ORDER_EDITS)(body, now, detail)
    if "unit_price" in edits.read(body):
        return edits.reprice(body, now, detail)
    return edits.retouch(body, now, detail)


def _id(body: bytes) -> str:
    return edits.text(edits.read(body), "id")
