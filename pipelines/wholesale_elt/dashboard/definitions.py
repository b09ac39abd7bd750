"""Definitions: what columns of reports mean, generated from the dbt project."""

from pathlib import Path
from typing import Any

import msgspec

FILE = Path(__file__).with_suffix(".json")
"""By report and column. Made by `poe generate`: edit the descriptions in sql/, not this file."""


def read_definitions() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(FILE.read_bytes())
    return found
