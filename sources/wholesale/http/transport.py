"""Transport: the seam of httpx, and the connections behind it.

Whatever stands behind the seam (`httpx.BaseTransport`) sends one request, follows no redirect and
decodes no body.
"""

from urllib.request import getproxies, proxy_bypass

import httpx

from wholesale.settings import LOOPBACK, ApiSettings


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


def environment_proxy(url: httpx.URL) -> str | None:
    """The proxy that the environment names for this address; none for this machine itself."""
    if url.host in LOOPBACK or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy
