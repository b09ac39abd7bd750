"""Draws: random values by a seed and a name, independent of earlier draws."""

from hashlib import blake2b, shake_128
from random import Random
from struct import Struct

_SPREAD = 0x9E3779B97F4B  # odd, so that multiplying by it can be undone modulo 2**48
_UNSPREAD = pow(_SPREAD, -1, 1 << 48)
_LOW_48_BITS = (1 << 48) - 1

# As many draws as one round of the hash yields: 168 bytes.
_LARGE_DRAWS = 3
_SMALL_DRAWS = 72
_unpack = Struct(f"<{_LARGE_DRAWS}Q{_SMALL_DRAWS}H").unpack


def chance(seed: int, *names: object) -> Random:
    """A generator of its own for each name; for what is drawn once."""
    return Random("/".join(map(str, (seed, *names))))


def guid(seed: int, *names: object) -> str:
    name = "/".join(map(str, (seed, *names)))
    return _uuid4_form(blake2b(name.encode(), digest_size=16).hexdigest())


def key(seed: int, name: str) -> bytes:
    return blake2b(f"{seed}/{name}".encode(), digest_size=16).digest()


class Draws:
    """For each number the same draws: 3 below 2**64, then 72 below 2**16."""

    def __init__(self, seed: int, name: str) -> None:
        self._hash = shake_128(key(seed, name))

    def __call__(self, number: int) -> tuple[int, ...]:
        drawing = self._hash.copy()
        drawing.update(number.to_bytes(8, "little"))
        return _unpack(drawing.digest(168))


class NumberedIds:
    """Guids that know their number: masked in the last 48 bits, the others are a keyed check."""

    def __init__(self, seed: int, name: str) -> None:
        self._check = blake2b(key=key(seed, name), digest_size=10)
        self._mask = int.from_bytes(key(seed, f"{name}/mask")[:6])

    def id(self, number: int) -> str:
        return self._of_node((number * _SPREAD & _LOW_48_BITS) ^ self._mask)

    def number(self, record_id: str) -> int | None:
        """The inverse of `id`; None for a guid that is not of this series."""
        try:
            node = int.from_bytes(bytes.fromhex(record_id[-12:]))
        except ValueError:
            return None
        if self._of_node(node) != record_id:
            return None
        return (node ^ self._mask) * _UNSPREAD & _LOW_48_BITS

    def _of_node(self, node: int) -> str:
        check = self._check.copy()
        check.update(node.to_bytes(6))
        return _uuid4_form(f"{check.hexdigest()}{node:012x}")


def _uuid4_form(digits: str) -> str:
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"
