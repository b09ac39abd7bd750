"""Over HTTP: the same server, for agents that have the token (RFC 6750), as streamable HTTP.

No session is kept, and each answer is one JSON document: any number of servers may stand side by
side, also behind a proxy that ends TLS.
"""

import socket
from collections.abc import Callable
from hmac import compare_digest
from ipaddress import ip_address
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from wholesale.errors import ConfigurationError

PATH = "/mcp"
REFUSED = {"error": "invalid_token", "error_description": "the right bearer token is needed"}


class RequiresToken:
    """An application whose every request must bring the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and not self._is_allowed(scope):
            refused = JSONResponse(
                REFUSED, 401, {"WWW-Authenticate": 'Bearer error="invalid_token"'}
            )
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        given = Headers(scope=scope).get("authorization", "")
        kind, _, token = given.partition(" ")
        return compare_digest(f"{kind.title()} {token}".encode(), self._expected)


def make_app(server: MCPServer[Any], token: str) -> ASGIApp:
    """The application that answers under PATH."""
    # What the library checks besides, the name in Host, is for servers without a token, and would
    # refuse what a proxy hands on.
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=security,
    )
    return RequiresToken(app, token)


def serve_http(
    server: MCPServer[Any], token: str, address: str, observe: Callable[[str], object]
) -> None:
    """Answer under HOST:PORT until a signal; `observe` is told where.

    Raises: ConfigurationError for an address that cannot be listened at.
    """
    host, port = _parts(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigurationError(f"{address} cannot be listened at: {error.strerror}") from None
    with listening:
        shown = f"[{host}]" if ":" in host else host
        observe(f"answering at http://{shown}:{listening.getsockname()[1]}{PATH}{_caution(host)}")
        config = uvicorn.Config(
            make_app(server, token), log_config=None, access_log=False, server_header=False
        )
        uvicorn.Server(config).run(sockets=[listening])


def _parts(address: str) -> tuple[str, int]:
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 2**16):
        raise ConfigurationError(
            f"{address!r} is no address to listen at: write HOST:PORT, such as 127.0.0.1:8765"
        )
    return host.removeprefix("[").removesuffix("]"), int(port)


def _caution(host: str) -> str:
    try:
        is_own = ip_address(host).is_loopback
    except ValueError:
        is_own = host == "localhost"
    return "" if is_own else ", unencrypted: let only a proxy with TLS reach it"
