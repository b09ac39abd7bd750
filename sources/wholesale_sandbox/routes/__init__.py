"""What the service does at each of its 56 endpoints (§4), by the endpoint's name."""

from collections.abc import Mapping
from types import MappingProxyType

from wholesale_sandbox.call import Handler
from wholesale_sandbox.routes import brands, buyer_users, collections, orders, root

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        **root.HANDLERS,
        **collections.HANDLERS,
        **brands.HANDLERS,
        **buyer_users.HANDLERS,
        **orders.HANDLERS,
    }
)
