"""Orders, which are read only (§4.2, §4.3)."""

from collections.abc import Mapping

from wholesale_sandbox.contract import DEFAULT_VERBOSE, VERBOSE_RULE
from wholesale_sandbox.responses import OrderForm, Refused, Response, error, not_found
from wholesale_sandbox.routes.call import Call, Handler
from wholesale_sandbox.routes.lists import listed
from wholesale_sandbox.routes.sending import sent_alone


def list_orders(call: Call) -> Response:
    return listed(call, "orders", form="verbose" if _is_verbose(call) else "summary")


def get_order(call: Call) -> Response:
    is_verbose = _is_verbose(call)
    record = call.storage.collection("orders").get(call.id_of("orders", "orderId"))
    if record is None:
        raise not_found()
    form: OrderForm = "verbose" if is_verbose else "basic"
    return Response(200, sent_alone(call, "orders", record, form))


def _is_verbose(call: Call) -> bool:
    text = call.query.get("verbose")
    if text is None:
        return DEFAULT_VERBOSE.value
    if text not in ("true", "false"):
        raise Refused(error(VERBOSE_RULE.value, "verbose must be true or false"))
    return text == "true"


HANDLERS: Mapping[str, Handler] = {"list_orders": list_orders, "get_order": get_order}
