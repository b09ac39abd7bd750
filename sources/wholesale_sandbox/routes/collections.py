"""List, create, get, update and delete, alike for all kinds but orders (§4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import msgspec

from wholesale.api import ENDPOINT
from wholesale_sandbox.answers import Answer, not_found
from wholesale_sandbox.business import Record, fields_sent, records
from wholesale_sandbox.contract import KINDS, WRONG_PARENT
from wholesale_sandbox.routes.call import Call, Handler
from wholesale_sandbox.routes.lists import listed


@dataclass(frozen=True, slots=True)
class Collection:
    """Records of one kind; `id` and `parent_id` are the names of ids in the path."""

    kind: str
    id: str
    parent_kind: str | None = None
    parent_id: str | None = None

    @property
    def wrapper(self) -> str:
        return KINDS[self.kind].wrapper


COLLECTIONS = (
    Collection("items", "itemId"),
    Collection("variants", "variantId", "items", "itemId"),
    Collection("buyers", "buyerId"),
    Collection("buyer_users", "buyerUserId", "buyers", "buyerId"),
    Collection("item_images", "itemImageId"),
    Collection("price_lists", "priceListId"),
    Collection("prices", "priceId"),
    Collection("brands", "brandId"),
    Collection("categories", "categoryId"),
    Collection("custom_fields", "customFieldId"),
    Collection("vendors", "vendorId"),
)


def parent_asked(collection: Collection, call: Call) -> str | None:
    """The id of the parent in the path, None for a kind without one.

    Raises: Refused (404).
    """
    if collection.parent_kind is None or collection.parent_id is None:
        return None
    parent_id = call.ids[collection.parent_id]
    if call.storage.shelf(collection.parent_kind).get(parent_id) is None:
        raise not_found()
    return parent_id


def record_asked(collection: Collection, call: Call) -> tuple[str, bytes]:
    """Id and body of the record in the path.

    Raises: Refused (404), also where it belongs to another parent.
    """
    record_id, parent_id = call.ids[collection.id], parent_asked(collection, call)
    shelf = call.storage.shelf(collection.kind)
    body = shelf.get(record_id)
    if body is None or (parent_id is not None and shelf.parent_of(record_id) != parent_id):
        raise not_found(WRONG_PARENT.value)
    return record_id, body


def answer(endpoint: str, record: Record) -> Answer:
    return Answer(ENDPOINT[endpoint].success.value, msgspec.json.encode(record))


def read_list(collection: Collection, call: Call) -> Answer:
    return listed(call, collection.kind, parent_id=parent_asked(collection, call))


def create(collection: Collection, call: Call) -> Answer:
    parent_id = parent_asked(collection, call)
    sent = fields_sent(call.body, KINDS[collection.kind])
    record = records.create(call.storage, collection.kind, sent, now=call.now, parent_id=parent_id)
    return answer(f"create_{collection.wrapper}", record)


def read(collection: Collection, call: Call) -> Answer:
    return Answer(200, record_asked(collection, call)[1])


def update(collection: Collection, call: Call) -> Answer:
    record_id, _ = record_asked(collection, call)
    sent = fields_sent(call.body, KINDS[collection.kind])
    record = records.update(call.storage, collection.kind, record_id, sent, now=call.now)
    return answer(f"update_{collection.wrapper}", record)


def delete(collection: Collection, call: Call) -> Answer:
    record_id, _ = record_asked(collection, call)
    records.delete(call.storage, collection.kind, record_id)
    return Answer(ENDPOINT[f"delete_{collection.wrapper}"].success.value)


def _handlers() -> Iterator[tuple[str, Handler]]:
    for collection in COLLECTIONS:
        yield f"list_{collection.kind}", partial(read_list, collection)
        for verb, handler in (
            ("create", create),
            ("get", read),
            ("update", update),
            ("delete", delete),
        ):
            name = f"{verb}_{collection.wrapper}"
            if name in ENDPOINT:
                yield name, partial(handler, collection)


HANDLERS: Mapping[str, Handler] = dict(_handlers())
