"""Routes: the handlers of all 56 endpoints, by the endpoint's name.

In:  a `Call`: path parameters, query, body, storage, dials.
Out: a `Response`.
Knows nothing of sockets, keys or logs.
Begin with `lists`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from wholesale_sandbox.routes import brands, buyer_users, orders, resources, root
from wholesale_sandbox.routes.call import Call, Handler

__all__ = ["HANDLERS", "Call"]

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        **root.HANDLERS,
        **resources.HANDLERS,
        **brands.HANDLERS,
        **buyer_users.HANDLERS,
        **orders.HANDLERS,
    }
)
