"""Settings of a sandbox."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from wholesale_sandbox.faults import Plant

LOOPBACK = "127.0.0.1"
LAST_DAY = date(2026, 6, 30)
"""Fixed, so that the world does not depend on the present day."""


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """`port` and `admin_port`: 0 is any free one. `database`: a SQLite file, or in memory.

    The records come from `data` (a folder of JSON lines), else from the world of `seed` with
    `orders` orders in the two years to `last_day`, or there are none (`empty`).
    `days_at`: when days of business were over that it plays before it serves.
    `live_per_minute`: changes that business makes by itself. `dials`: what `Dials.change` takes;
    `plants`: what is put into the records.
    """

    port: int = 0
    admin_port: int = 0
    host: str = LOOPBACK
    api_key: str = field(default="sandbox", repr=False)
    seed: int = 1
    orders: int = 2_000
    last_day: date = LAST_DAY
    empty: bool = False
    data: Path | None = None
    days_at: Sequence[datetime] = ()
    live_per_minute: float = 0.0
    database: str | Path = ":memory:"
    dials: Mapping[str, Any] = field(default_factory=dict)
    plants: Sequence[Mapping[str, Any] | Plant] = ()
