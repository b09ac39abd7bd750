"""Connections to the service, or through the proxy that the environment names for it."""

from collections.abc import Mapping
from urllib.request import getproxies, proxy_bypass

import httpx

from wholesale.http.connections import Connections
from wholesale.http.transport import Answer, Transport

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def connect(base_url: str, headers: Mapping[str, str], *, connections: int) -> Transport:
    """Connections to this host, by the proxy that the environment names for it if any."""
    url = httpx.URL(base_url)
    if proxy := _proxy_for(url):
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        return Through(httpx.HTTPTransport(proxy=proxy, limits=limits), base_url, headers)
    return Connections(base_url, headers)


def _proxy_for(url: httpx.URL) -> str | None:
    """A proxy of the environment cannot reach this machine."""
    if url.host in LOOPBACK or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


class Through:
    """A Transport through one of httpx."""

    def __init__(
        self, transport: httpx.BaseTransport, base_url: str, headers: Mapping[str, str]
    ) -> None:
        self._transport = transport
        self._base_url = base_url
        self._headers = httpx.Headers(headers)

    def get(self, target: str, seconds: float) -> Answer:
        # No httpx.Client: its redirects would carry the key to another host.
        request = httpx.Request(
            "GET",
            self._base_url + target,
            headers=self._headers,
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), seconds)},
        )
        answer = self._transport.handle_request(request)
        return Answer(
            answer.status_code,
            answer.reason_phrase,
            answer.headers,
            answer.iter_raw(),
            answer.close,
        )

    def close(self) -> None:
        self._transport.close()
