"""Resources: list, create, get, update and delete, alike for all but orders (§4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import msgspec

from wholesale.api import ENDPOINT
from wholesale_sandbox.business import Record, fields_sent, records
from wholesale_sandbox.contract import RESOURCE, WRONG_PARENT
from wholesale_sandbox.responses import Response, not_found
from wholesale_sandbox.routes.call import Call, Handler
from wholesale_sandbox.routes.lists import listed
from wholesale_sandbox.routes.sending import sent_alone


@dataclass(frozen=True, slots=True)
class ResourceRoutes:
    """Records of one resource; `id` and `parent_id` are the names of ids in the path."""

    resource: str
    id: str
    parent_resource: str | None = None
    parent_id: str | None = None

    @property
    def wrapper(self) -> str:
        return RESOURCE[self.resource].wrapper


RESOURCE_ROUTES = (
    ResourceRoutes("items", "itemId"),
    ResourceRoutes("variants", "variantId", "items", "itemId"),
    ResourceRoutes("buyers", "buyerId"),
    ResourceRoutes("buyer_users", "buyerUserId", "buyers", "buyerId"),
    ResourceRoutes("item_images", "itemImageId"),
    ResourceRoutes("price_lists", "priceListId"),
    ResourceRoutes("prices", "priceId"),
    ResourceRoutes("brands", "brandId"),
    ResourceRoutes("categories", "categoryId"),
    ResourceRoutes("custom_fields", "customFieldId"),
    ResourceRoutes("vendors", "vendorId"),
)


def parent_asked(routes: ResourceRoutes, call: Call) -> str | None:
    """The id of the parent in the path, None for a resource without one.

    Raises: Refused (404).
    """
    if routes.parent_resource is None or routes.parent_id is None:
        return None
    parent_id = call.id_of(routes.parent_resource, routes.parent_id)
    if call.storage.collection(routes.parent_resource).get(parent_id) is None:
        raise not_found()
    return parent_id


def record_asked(routes: ResourceRoutes, call: Call) -> tuple[str, bytes]:
    """Id and body of the record in the path.

    Raises: Refused (404), also where it belongs to another parent.
    """
    record_id, parent_id = call.id_of(routes.resource, routes.id), parent_asked(routes, call)
    collection = call.storage.collection(routes.resource)
    body = collection.get(record_id)
    if body is None or (parent_id is not None and collection.parent_of(record_id) != parent_id):
        raise not_found(WRONG_PARENT.value)
    return record_id, body


def response(endpoint: str, record: Record) -> Response:
    return Response(ENDPOINT[endpoint].success.value, msgspec.json.encode(record))


def read_list(routes: ResourceRoutes, call: Call) -> Response:
    return listed(call, routes.resource, parent_id=parent_asked(routes, call))


def create(routes: ResourceRoutes, call: Call) -> Response:
    parent_id = parent_asked(routes, call)
    sent = fields_sent(call.body, RESOURCE[routes.resource])
    record = records.create(call.storage, routes.resource, sent, now=call.now, parent_id=parent_id)
    return response(f"create_{routes.wrapper}", record)


def read(routes: ResourceRoutes, call: Call) -> Response:
    _, body = record_asked(routes, call)
    return Response(200, sent_alone(call, routes.resource, body))


def update(routes: ResourceRoutes, call: Call) -> Response:
    record_id, _ = record_asked(routes, call)
    sent = fields_sent(call.body, RESOURCE[routes.resource])
    record = records.update(call.storage, routes.resource, record_id, sent, now=call.now)
    return response(f"update_{routes.wrapper}", record)


def delete(routes: ResourceRoutes, call: Call) -> Response:
    record_id, _ = record_asked(routes, call)
    records.delete(call.storage, routes.resource, record_id)
    return Response(ENDPOINT[f"delete_{routes.wrapper}"].success.value)


def _handlers() -> Iterator[tuple[str, Handler]]:
    for routes in RESOURCE_ROUTES:
        yield f"list_{routes.resource}", partial(read_list, routes)
        for verb, handler in (
            ("create", create),
            ("get", read),
            ("update", update),
            ("delete", delete),
        ):
            name = f"{verb}_{routes.wrapper}"
            if name in ENDPOINT:
                yield name, partial(handler, routes)


HANDLERS: Mapping[str, Handler] = dict(_handlers())
