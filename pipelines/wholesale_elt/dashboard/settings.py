"""Settings of the dashboard: whose it is, the names of people that the service has only as ids, and
what becomes of pictures."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from wholesale.configuration import read_model
from wholesale.errors import ConfigurationError

SECTION = "dashboard"
"""The section of dlt's configuration; settings are named like the fields."""
COLUMNS = ("id", "name")


class DashboardSettings(BaseModel):
    """Raises: ConfigurationError from `read_settings`, with the setting, its place and the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    company: str = Field(default="Wholesale", min_length=1, max_length=80)
    """The name at the top of each page."""
    people: Path | None = None
    """A CSV file with the columns `id` and `name`: what account managers are called. Whoever may
    open the dashboard can read these names."""
    pictures: Literal["address", "fetch"] = "address"
    """Pictures of products: `address` shows where they are, and no page loads them. `fetch` fetches
    the files when it publishes, from public https addresses alone and through no proxy, and the
    pages show these. PNG, JPEG, WebP and GIF of up to 5 MB are taken; what was fetched from an
    address is not fetched again. What fails is counted on the page Health."""
    pictures_most: int = Field(default=2_000, ge=1, le=100_000)
    """Most pictures that are fetched, first of all the first one of each product, those that sold
    most before others."""
    pictures_megabytes: int = Field(default=200, ge=1, le=10_000)
    """Most megabytes of all of them."""
    pictures_seconds: int = Field(default=300, ge=1, le=86_400)
    """For how many seconds a publication fetches new ones at most. The next one goes on."""


def read_settings() -> DashboardSettings:
    """Read `[dashboard]` of dlt's files, or `DASHBOARD__…` in the environment."""
    return read_model(DashboardSettings, SECTION)


def read_people(path: Path | None) -> Mapping[str, str]:
    """Names by id; none if there is no file to read.

    Raises: ConfigurationError if the file cannot be read, or has no such columns.
    """
    if path is None:
        return {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigurationError(f"{SECTION}.people cannot be read from {path}: {error}") from error
    wanted = [tuple((row.get(name) or "").strip() for name in COLUMNS) for row in rows]
    if rows and not set(COLUMNS) <= rows[0].keys():
        raise ConfigurationError(f"{SECTION}.people: {path} lacks a column id or name")
    return {key: name for key, name in wanted if key and name}
