"""A service that a test plays by itself, in the place of connections."""

from collections.abc import Mapping

import httpx

from wholesale.http.proxies import Through
from wholesale.http.transport import Connect, Transport


def over(transport: httpx.BaseTransport) -> Connect:
    """Connects to whatever this transport answers."""

    def connect(base_url: str, headers: Mapping[str, str], *, connections: int) -> Transport:
        return Through(transport, base_url, headers)

    return connect
