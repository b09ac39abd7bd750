"""Clients: one that walks the pages of ten orders, and one that is a bare socket."""

import socket

import httpx

from wholesale_sandbox.server import Sandbox

IDS = [f"o{number}" for number in range(10)]
PAGES = [IDS[0:3], IDS[3:6], IDS[6:9], IDS[9:]]
"""The ids on the pages of three orders, as they should be."""


def ids(response: httpx.Response) -> list[str]:
    return [record["id"] for record in response.json()["data"]]


def walk(client: httpx.Client, limit: int = 3, pages: int = 9) -> list[list[str]]:
    """The ids on the pages 1 to `pages`, however many the list says it has."""
    return [
        ids(client.get("/orders", params={"page": page, "limit": limit}))
        for page in range(1, pages + 1)
    ]


def raw(sandbox: Sandbox, target: str = "/orders") -> bytes:
    """All bytes that come until the connection ends. Raises: ConnectionResetError."""
    url = httpx.URL(sandbox.base_url + target)
    with socket.create_connection((url.host, url.port or 0), timeout=120) as connection:
        connection.sendall(
            b"GET %b HTTP/1.1\r\nHost: here\r\nX-API-Key: sandbox\r\nConnection: close\r\n\r\n"
            % url.raw_path
        )
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]
