"""Way: the proxy and the certificates that the environment names, and what keeps requests back."""

import os
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Self
from urllib.request import getproxies, proxy_bypass

from wholesale.errors import ConfigurationError, one_line
from wholesale.http.libraries import httpx
from wholesale.settings import LOOPBACK

PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")
"""Variables that name the certificates of those to trust, a file or a folder; the first counts."""
PROXY_AUTHENTICATION_REQUIRED = "407"
NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusted where no certificate is shown."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """`variable` is where it is named."""

    url: httpx.URL
    variable: str

    def __str__(self) -> str:
        return f"the proxy {_place(self.url)} of {self.variable}"


@dataclass(frozen=True, slots=True)
class Way:
    """The way to a service: its address, and the proxy before it."""

    url: httpx.URL
    proxy: Proxy | None = None

    @classmethod
    def to(cls, address: str) -> Self:
        """The way that the environment names. Raises: ConfigurationError."""
        url = httpx.URL(address)
        return cls(url, _proxy_of(url))

    def __str__(self) -> str:
        return _place(self.url) + (f" through {self.proxy}" if self.proxy else "")

    def trusted(self) -> ssl.SSLContext:
        """Whose certificates are trusted on it. Raises: ConfigurationError."""
        schemes = {self.url.scheme, self.proxy.url.scheme if self.proxy else ""}
        return _trusted() if "https" in schemes else NOBODY

    def obstacle(self, error: httpx.HTTPError) -> str | None:
        """Why no request comes through before a person has changed something; None where one may,
        a while later."""
        causes = list(_causes(error))
        for cause in causes:
            if isinstance(cause, ssl.SSLCertVerificationError):
                return (
                    f"the certificate of {self} is not trusted ({one_line(cause.verify_message)}):"
                    " if an authority of your own signed it, set SSL_CERT_FILE to the file of"
                    " its certificate"
                )
        if self.proxy and isinstance(error, httpx.ProxyError) and str(error).startswith("4"):
            return self.refusal_of_proxy(str(error)[:3])
        is_unknown = any(
            isinstance(cause, socket.gaierror) and cause.errno != socket.EAI_AGAIN
            for cause in causes
        )
        if self.proxy and is_unknown:
            return f"no name server knows {self.proxy}: check that variable"
        if is_unknown:
            return f"no name server knows {self}: check the setting base_url"
        is_of_network = any(isinstance(cause, OSError) for cause in causes)
        is_of_tls = any(isinstance(cause, ssl.SSLError) for cause in causes)
        if self.proxy and isinstance(error, httpx.ConnectError) and is_of_network and not is_of_tls:
            return f"{self.proxy} cannot be reached ({one_line(error)}): check that variable"
        return None

    def refusal_of_proxy(self, status: str) -> str:
        remedy = (
            "put a user and a password that it accepts into that variable"
            if status == PROXY_AUTHENTICATION_REQUIRED
            else f"have it let requests to {_place(self.url)} through, or name that in NO_PROXY"
        )
        return f"{self.proxy} refuses ({status}): {remedy}"


def _proxy_of(url: httpx.URL) -> Proxy | None:
    """The proxy that the environment names for this address; none for this machine itself."""
    if url.host in LOOPBACK or _is_direct(url):
        return None
    proxies = getproxies()
    scheme = url.scheme if proxies.get(url.scheme) else "all"
    proxy = proxies.get(scheme)
    if not proxy:
        return None
    names = (f"{scheme}_proxy", f"{scheme}_proxy".upper())
    variable = next((name for name in names if os.environ.get(name)), "the system's settings")
    try:
        found = httpx.URL(proxy if "://" in proxy else f"http://{proxy}")
        httpx.Proxy(found)
    except (ValueError, httpx.InvalidURL):
        found = httpx.URL()
    if not found.host:
        raise ConfigurationError(
            f"{variable} is no address of a proxy: write it as http://host:port"
        )
    return Proxy(found, variable)


def _is_direct(url: httpx.URL) -> bool:
    """Whether the environment (NO_PROXY) names this address by its host, a domain above it, both
    with a port, or a network that it is in."""
    if proxy_bypass(f"{url.host}:{url.port or PORTS[url.scheme]}"):
        return True
    try:
        address = ip_address(url.host)
    except ValueError:
        return False
    return any(address in network for network in _networks(getproxies().get("no", "")))


def _networks(names: str) -> Iterator[IPv4Network | IPv6Network]:
    for name in names.split(","):
        try:
            yield ip_network(name.strip().strip("[]"), strict=False)
        except ValueError:
            continue


def _trusted() -> ssl.SSLContext:
    """What the environment names, else the authorities of httpx and of this machine."""
    for variable in CERTIFICATES:
        if place := os.environ.get(variable):
            is_folder = os.path.isdir(place)
            try:
                return ssl.create_default_context(
                    cafile=None if is_folder else place, capath=place if is_folder else None
                )
            except OSError as error:
                raise ConfigurationError(
                    f"{variable} names {place}, from which no certificates can be read"
                    f" ({one_line(error.strerror or error)}): set it to a file of certificates"
                ) from None
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def _place(url: httpx.URL) -> str:
    """Host and port, and nothing else of an address, which may hold a password."""
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{host}:{url.port or PORTS.get(url.scheme, 80)}"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and all behind it, also those that httpcore does not show."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found and id(found) not in seen:
        seen.add(id(found))
        yield found
        found = found.__cause__ or found.__context__
