"""Settings of the dashboard: whose it is, and the names of people that the service has only as
ids."""

import csv
from collections.abc import Mapping
from pathlib import Path

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
    old_after_days: int = Field(default=7, ge=1)
    """After so many days without a newer version each page begins with the age of its figures. The
    dot at its top is amber before that: once a version is late by the usual gap between them."""
    people: Path | None = None
    """A CSV file with the columns `id` and `name`: what account managers are called. Whoever may
    open the dashboard can read these names."""


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
