"""Network: connections to public addresses alone.

A name is resolved here, and it is that address which is connected to: no second answer of a name
server can lead into this network. Certificates are checked against the name.
"""

import socket
import ssl
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from wholesale.http import httpcore, httpx

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Sequence[str]]
IsPublic = Callable[[Address], bool]
CARRYING = tuple(map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
"""IPv6 addresses that lead to an IPv4 address within them, by a translator or a tunnel."""
OF_PROTOCOLS = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15")))
"""Addresses that older releases of Python take for public ones."""


class NotPublic(httpcore.ConnectError):
    """The name stands for an address that is not in the public internet."""


def is_public(address: Address) -> bool:
    """Whether it is one of the public internet, and neither of this machine, nor of a network
    around it, nor of many machines at once."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if any(address in network for network in CARRYING):
            return False
    if any(address in network for network in OF_PROTOCOLS):
        return False
    is_special = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not is_special


def resolved(host: str, port: int) -> Sequence[str]:
    """The addresses that a name stands for. Raises: OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


class PublicTransport(httpx.HTTPTransport):
    """Connects to public addresses only, and to none after `until`, by the clock.

    httpcore times each read by itself, so a response that comes a byte a second never times out:
    here every read may take only what is left.
    """

    def __init__(
        self,
        resolve: Resolve,
        is_allowed: IsPublic,
        left: Callable[[], float],
        trusted: ssl.SSLContext,
    ) -> None:
        super().__init__(verify=trusted, trust_env=False)
        # httpcore's pool takes a network backend, and httpx has no argument to pass it on.
        network = self._pool._network_backend
        self._pool._network_backend = _Public(network, resolve, is_allowed, left)


class _Public(httpcore.NetworkBackend):
    def __init__(
        self,
        network: httpcore.NetworkBackend,
        resolve: Resolve,
        is_allowed: IsPublic,
        left: Callable[[], float],
    ) -> None:
        self._network, self._resolve, self._is_allowed = network, resolve, is_allowed
        self._left = left

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            found = self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError("its name is not known") from error
        # One that is not public is reason enough: a name that has both was made to get in.
        if not found or not all(self._is_allowed(_parsed(address)) for address in found):
            raise NotPublic("its address is not public")
        for address in found[:-1]:
            try:
                return self._connected(address, port, timeout, local_address, socket_options)
            except httpcore.ConnectError:
                continue
        return self._connected(found[-1], port, timeout, local_address, socket_options)

    def _connected(
        self, address: str, port: int, timeout: float | None, *options: Any
    ) -> httpcore.NetworkStream:
        seconds = _clipped(timeout, self._left, httpcore.ConnectTimeout)
        return _Stream(self._network.connect_tcp(address, port, seconds, *options), self._left)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, left: Callable[[], float]) -> None:
        self._stream, self._left = stream, left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _clipped(timeout, self._left, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _clipped(timeout, self._left, httpcore.WriteTimeout))

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        seconds = _clipped(timeout, self._left, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, seconds), self._left)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _clipped(
    seconds: float | None, left: Callable[[], float], late: type[httpcore.TimeoutException]
) -> float:
    """Raises: `late` when nothing is left."""
    remaining = left()
    if remaining <= 0:
        raise late("it took too long")
    return remaining if seconds is None else min(seconds, remaining)


def _parsed(address: str) -> Address:
    return ip_address(address.partition("%")[0])  # without the interface of a link-local one
