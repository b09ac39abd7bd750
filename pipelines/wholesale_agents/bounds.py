"""Bounds: how long an answer may be, for clients that cut what is longer."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import to_json

from wholesale.errors import Unanswerable

MOST_BYTES = 70_000
"""Of an answer, as the library writes it for a model to read."""
MOST_LETTERS = 500
"""Of a text in a row; of a longer one the beginning is told."""

Row = dict[str, Any]


def fitting(about: Mapping[str, Any], rows: Sequence[Row]) -> list[Row]:
    """The first of these rows, as many as fit into an answer beside what it is `about`."""
    left = MOST_BYTES - bytes_of(about)
    kept = []
    for row in map(_cut, rows):
        left -= bytes_of({"rows": [row]})
        if left < 0:
            break
        kept.append(row)
    return kept


def require_short(answer: Mapping[str, Any]) -> None:
    """Raises: Unanswerable for an answer of more than MOST_BYTES."""
    size = bytes_of(answer)
    if size > MOST_BYTES:
        raise Unanswerable(
            f"the answer has {size:,} bytes, and may have {MOST_BYTES:,}: ask for less"
        )


def bytes_of(answer: Mapping[str, Any]) -> int:
    return len(to_json(answer, fallback=str, indent=2))


def _cut(value: Any) -> Any:
    match value:
        case str() if len(value) > MOST_LETTERS:
            return f"{value[:MOST_LETTERS]}…"
        case list():
            return [_cut(entry) for entry in value]
        case dict():
            return {_cut(name): _cut(entry) for name, entry in value.items()}
        case _:
            return value
