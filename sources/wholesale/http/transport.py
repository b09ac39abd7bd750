"""Transport: the seam of httpx, and the connections behind it.

Whatever stands behind the seam (`httpx.BaseTransport`) sends one request, follows no redirect and
decodes no body.
"""

import sys
from contextlib import suppress
from importlib import import_module
from threading import Event, Thread, current_thread, main_thread
from urllib.request import getproxies, proxy_bypass

import httpx

from wholesale.settings import LOOPBACK, ApiSettings

FAST = "wholesale.http.pyreqwest_transport"
"""The module that needs pyreqwest; the other transport takes its place where that is missing."""


def open_transport(settings: ApiSettings) -> httpx.BaseTransport:
    """Connections to this service: pyreqwest's where it is installed, else httpx's own."""
    proxy = environment_proxy(httpx.URL(settings.base_url))
    if FAST not in sys.modules and current_thread() is not main_thread():
        _load_in_a_thread_that_stays()
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


def _load_in_a_thread_that_stays() -> None:
    """Load pyreqwest, if it is installed, so that later threads may use it: its allocator crashes
    once the thread that loaded it has ended (github.com/microsoft/mimalloc/issues/1287)."""
    is_loaded = Event()

    def load_and_stay() -> None:
        with suppress(ImportError):  # which comes again where it is used
            import_module(FAST)
        is_loaded.set()
        Event().wait()

    Thread(target=load_and_stay, name="pyreqwest", daemon=True).start()
    is_loaded.wait()
