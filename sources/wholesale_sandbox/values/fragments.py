"""Fragments of JSON objects, written once and put together for each order."""

import msgspec


def encoded(value: object) -> str:
    return msgspec.json.encode(value).decode()


def members(values: dict[str, object]) -> str:
    """The members of the object, a comma behind each."""
    return f"{encoded(values)[1:-1]},"
