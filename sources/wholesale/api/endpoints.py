"""Endpoints: the 56 of the service (§4), as data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import Formatter
from types import MappingProxyType
from typing import Literal, cast
from urllib.parse import quote

from wholesale.api.facts import Fact, assumed, documented

PATH_PREFIX = "/api/external/v1"
"""Of every path below; the base URL of a service ends with it (preamble, §9)."""

Method = Literal["GET", "POST", "PUT", "DELETE"]


@dataclass(frozen=True)
class Endpoint:
    """One operation of the service.

    `wrapper` is the key that a request body holds its fields under; None where no body is known.
    `query` are the documented query parameters.
    `errors` are the statuses that §4 or §7 name for this operation; any other may come as well.
    """

    name: str
    method: Method
    path: str
    section: str
    success: Fact[int]
    errors: tuple[int, ...] = ()
    wrapper: Fact[str] | None = None
    query: tuple[str, ...] = ()

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the ids in the path, in order."""
        return tuple(name for _, name, _, _ in Formatter().parse(self.path) if name)

    def path_for(self, **ids: str) -> str:
        """The path with its ids filled in: `path_for(itemId="…")`; an id stays one segment."""
        return self.path.format(**{name: quote(id_, safe="") for name, id_ in ids.items()})

    def path_of(self, *ids: str) -> str:
        """The same with the ids in the order of the path."""
        return self.path_for(**dict(zip(self.parameters, ids, strict=True)))


READ = documented(200, "7")
UPDATED = documented(200, "7")
CREATED = documented(201, "7")
IMAGE_DELETED = documented(204, "4.9")
DELETED = assumed(204, "4.12")
ACTED = assumed(200, "4.12")
PAGED = ("page", "limit")


def _endpoint(
    name: str,
    call: str,
    section: str,
    success: Fact[int],
    errors: tuple[int, ...] = (),
    wrapper: Fact[str] | None = None,
    query: tuple[str, ...] = (),
) -> Endpoint:
    method, path = call.split(" ", 1)
    return Endpoint(name, cast(Method, method), path, section, success, errors, wrapper, query)


ENDPOINTS: tuple[Endpoint, ...] = (
    _endpoint("get_root", "GET /", "4.12", READ, (401,)),
    # items
    _endpoint("list_items", "GET /items", "4.12", READ),
    _endpoint("create_item", "POST /items", "4.1", CREATED, (), documented("item", "4.1")),
    _endpoint("get_item", "GET /items/{itemId}", "4.12", READ),
    _endpoint("update_item", "PUT /items/{itemId}", "4.12", UPDATED, (), assumed("item", "4.12")),
    _endpoint("delete_item", "DELETE /items/{itemId}", "4.12", DELETED),
    # variants
    _endpoint("list_variants", "GET /items/{itemId}/variants", "4.12", READ),
    _endpoint(
        "create_variant",
        "POST /items/{itemId}/variants",
        "4.12",
        CREATED,
        (),
        documented("variant", "4.12"),
    ),
    _endpoint("get_variant", "GET /items/{itemId}/variants/{variantId}", "4.11", READ, (401, 404)),
    _endpoint(
        "update_variant",
        "PUT /items/{itemId}/variants/{variantId}",
        "4.10",
        UPDATED,
        (401, 404, 422),
        documented("variant", "4.10"),
    ),
    _endpoint("delete_variant", "DELETE /items/{itemId}/variants/{variantId}", "4.12", DELETED),
    # buyers
    _endpoint("list_buyers", "GET /buyers", "4.12", READ),
    _endpoint("create_buyer", "POST /buyers", "4.12", CREATED, (), assumed("buyer", "4.12")),
    _endpoint("get_buyer", "GET /buyers/{buyerId}", "4.12", READ),
    _endpoint(
        "update_buyer", "PUT /buyers/{buyerId}", "4.4", UPDATED, (), documented("buyer", "4.4")
    ),
    _endpoint("delete_buyer", "DELETE /buyers/{buyerId}", "4.12", DELETED),
    # buyer users
    _endpoint("list_buyer_users", "GET /buyers/{buyerId}/buyer_users", "4.12", READ),
    _endpoint(
        "create_buyer_user",
        "POST /buyers/{buyerId}/buyer_users",
        "4.5",
        CREATED,
        (),
        documented("buyer_user", "4.5"),
    ),
    _endpoint("get_buyer_user", "GET /buyers/{buyerId}/buyer_users/{buyerUserId}", "4.6", READ),
    _endpoint(
        "update_buyer_user",
        "PUT /buyers/{buyerId}/buyer_users/{buyerUserId}",
        "4.12",
        UPDATED,
        (),
        assumed("buyer_user", "4.12"),
    ),
    _endpoint(
        "delete_buyer_user",
        "DELETE /buyers/{buyerId}/buyer_users/{buyerUserId}",
        "4.12",
        DELETED,
    ),
    _endpoint(
        "resend_invitation",
        "POST /buyers/{buyerId}/buyer_users/{buyerUserId}/resend_invitation",
        "4.12",
        ACTED,
    ),
    _endpoint(
        "reset_password",
        "POST /buyers/{buyerId}/buyer_users/{buyerUserId}/reset_password",
        "4.12",
        ACTED,
    ),
    _endpoint(
        "activate_buyer_user",
        "PUT /buyers/{buyerId}/buyer_users/{buyerUserId}/activate",
        "4.12",
        UPDATED,
    ),
    _endpoint(
        "deactivate_buyer_user",
        "PUT /buyers/{buyerId}/buyer_users/{buyerUserId}/deactivate",
        "4.12",
        UPDATED,
    ),
    # item images
    _endpoint("list_item_images", "GET /item_images", "4.12", READ),
    _endpoint(
        "create_item_image", "POST /item_images", "4.12", CREATED, (), assumed("item_image", "4.12")
    ),
    _endpoint("get_item_image", "GET /item_images/{itemImageId}", "4.12", READ),
    _endpoint(
        "update_item_image",
        "PUT /item_images/{itemImageId}",
        "4.12",
        UPDATED,
        (),
        assumed("item_image", "4.12"),
    ),
    _endpoint("delete_item_image", "DELETE /item_images/{itemImageId}", "4.9", IMAGE_DELETED),
    # price lists
    _endpoint("list_price_lists", "GET /price_lists", "4.12", READ),
    _endpoint(
        "create_price_list", "POST /price_lists", "4.12", CREATED, (), assumed("price_list", "4.12")
    ),
    _endpoint("get_price_list", "GET /price_lists/{priceListId}", "4.12", READ),
    _endpoint(
        "update_price_list",
        "PUT /price_lists/{priceListId}",
        "4.12",
        UPDATED,
        (),
        assumed("price_list", "4.12"),
    ),
    _endpoint("delete_price_list", "DELETE /price_lists/{priceListId}", "4.12", DELETED),
    # prices
    _endpoint("list_prices", "GET /prices", "4.12", READ),
    _endpoint("create_price", "POST /prices", "4.12", CREATED, (), assumed("price", "4.12")),
    _endpoint("get_price", "GET /prices/{priceId}", "4.12", READ),
    _endpoint(
        "update_price", "PUT /prices/{priceId}", "4.12", UPDATED, (), assumed("price", "4.12")
    ),
    _endpoint("delete_price", "DELETE /prices/{priceId}", "4.12", DELETED),
    # brands
    _endpoint("list_brands", "GET /brands", "4.12", READ, (), None, PAGED),
    _endpoint("create_brand", "POST /brands", "4.12", CREATED, (), documented("brand", "4.12")),
    _endpoint("get_brand", "GET /brands/{brandId}", "4.12", READ),
    _endpoint(
        "update_brand", "PUT /brands/{brandId}", "4.12", UPDATED, (), documented("brand", "4.12")
    ),
    _endpoint("delete_brand", "DELETE /brands/{brandId}", "4.12", DELETED),
    # categories
    _endpoint("list_categories", "GET /categories", "4.12", READ, (401, 404)),
    _endpoint(
        "create_category",
        "POST /categories",
        "4.12",
        CREATED,
        (401, 404, 422),
        documented("category", "4.12"),
    ),
    # custom fields
    _endpoint("list_custom_fields", "GET /custom_fields", "4.12", READ),
    _endpoint(
        "create_custom_field",
        "POST /custom_fields",
        "4.12",
        CREATED,
        (),
        assumed("custom_field", "4.12"),
    ),
    # vendors
    _endpoint("list_vendors", "GET /vendors", "4.7", READ, (401,), None, PAGED),
    _endpoint(
        "create_vendor",
        "POST /vendors",
        "4.12",
        CREATED,
        (401, 422),
        documented("vendor", "4.12"),
    ),
    _endpoint("get_vendor", "GET /vendors/{vendorId}", "4.12", READ, (401, 404)),
    _endpoint(
        "update_vendor",
        "PUT /vendors/{vendorId}",
        "4.12",
        UPDATED,
        (401, 404, 422),
        documented("vendor", "4.12"),
    ),
    _endpoint(
        "delete_vendor", "DELETE /vendors/{vendorId}", "4.8", assumed(204, "4.8"), (401, 404, 422)
    ),
    # orders
    _endpoint("list_orders", "GET /orders", "4.2", READ, (401,), None, ("verbose", *PAGED)),
    _endpoint("get_order", "GET /orders/{orderId}", "4.3", READ, (401, 404), None, ("verbose",)),
)


def _by_name(endpoints: Iterable[Endpoint]) -> Mapping[str, Endpoint]:
    return MappingProxyType({endpoint.name: endpoint for endpoint in endpoints})


ENDPOINT: Mapping[str, Endpoint] = _by_name(ENDPOINTS)
