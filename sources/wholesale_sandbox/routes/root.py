"""Root: GET / (§4.12)."""

from collections.abc import Mapping

import msgspec

from wholesale_sandbox.contract import SERVICE_ROOT
from wholesale_sandbox.responses import Response
from wholesale_sandbox.routes.call import Call, Handler


def get_root(call: Call) -> Response:
    return Response(200, msgspec.json.encode(SERVICE_ROOT.value))


HANDLERS: Mapping[str, Handler] = {"get_root": get_root}
