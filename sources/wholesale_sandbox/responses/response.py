"""Response: status, headers, body and delivery; the error object (§2.9, §7)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from wholesale_sandbox.contract import FAILURE, TOO_MANY_REQUESTS, WRONG_METHOD
from wholesale_sandbox.responses.delivery import Deliver, whole

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Response:
    """A body is compressed if the client accepts it, unless `headers` have a Content-Encoding."""

    status: int
    body: bytes = b""
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    deliver: Deliver = whole


class Refused(Exception):
    """A request that the service refuses; `response` says why."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.body.decode())
        self.response = response


ERRORS = {
    401: (
        "Invalid Credentials",
        "the credentials presented are not valid to access this resource",
    ),
    403: ("Forbidden", "the credentials presented do not reach this resource"),
    404: ("Resource not found", ""),
    413: ("Content Too Large", "ask for less at a time"),
    422: ("Unprocessable Entity", "the request cannot be carried out"),
    WRONG_METHOD.value: ("Method Not Allowed", "this path does not have this method"),
    TOO_MANY_REQUESTS.value: ("Too Many Requests", "try again later"),
    FAILURE.value: ("Internal Server Error", "the service failed"),
    502: ("Bad Gateway", "the service failed"),
    503: ("Service Unavailable", "try again later"),
    504: ("Gateway Timeout", "try again later"),
}


def error(
    status: int, details: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """The error object of §2.9, with the usual details of the status unless others are given."""
    name, usual = ERRORS.get(status, ("Error", f"the service answered {status}"))
    body = {"error": name, "details": usual if details is None else details}
    return Response(status, msgspec.json.encode(body), headers=headers or {})


def not_found(status: int = 404) -> Refused:
    return Refused(error(status))


def unprocessable(details: str) -> Refused:
    """`details` is a sentence that names the field and the rule."""
    return Refused(error(422, details))
