"""Transport: the seam of httpx, and the connections behind it.

Whatever stands behind the seam (`httpx.BaseTransport`) sends one request, follows no redirect and
decodes no body. Beside httpx's own timeouts, which a byte now and then keeps at bay, a request
carries `total`: how long its whole answer may take.
"""

from functools import cached_property
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpx

from wholesale.settings import ApiSettings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
NO_BODY = httpx.ByteStream(b"")


class Get(httpx.Request):
    """A GET of `address`, whose URL is parsed when somebody asks for it.

    httpx takes longer to parse it than to make all the rest, and pyreqwest parses it anyway.
    """

    def __init__(self, address: str, headers: httpx.Headers, extensions: dict[str, Any]) -> None:
        # In the place of httpx's own, which parses the URL; these are all of its attributes.
        self.method = "GET"
        self.address = address
        self.headers = headers
        self.extensions = extensions
        self.stream = NO_BODY

    @cached_property
    def url(self) -> httpx.URL:  # type: ignore[override]
        return httpx.URL(self.address)


def open_transport(settings: ApiSettings) -> httpx.BaseTransport:
    """Connections to this service: pyreqwest's where it is installed, else httpx's own."""
    proxy = environment_proxy(httpx.URL(settings.base_url))
    try:
        from wholesale.http.pyreqwest_transport import PyreqwestTransport

        return PyreqwestTransport(
            connections=settings.concurrency,
            proxy=proxy,
            silence_seconds=settings.timeout_seconds,
        )
    except (ImportError, ValueError):  # it is not installed, or this machine has no certificates
        from wholesale.http.httpx_transport import HttpxTransport

        return HttpxTransport(connections=settings.concurrency, proxy=proxy)


def timeouts(silence: float, total: float) -> dict[str, float]:
    """The timeouts of one request, in seconds, as its extension `timeout` carries them."""
    return {"connect": silence, "read": silence, "write": silence, "pool": silence, "total": total}


def environment_proxy(url: httpx.URL) -> str | None:
    """The proxy that the environment names for this address; none for this machine itself."""
    if url.host in LOOPBACK or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy
