"""Settings of the dashboard: whose it is, the names of people that the service has only as ids, and
the views that everybody finds there, and what becomes of pictures."""

import csv
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import parse_qs, unquote

from pydantic import BaseModel, ConfigDict, Field, field_validator

from wholesale.configuration import read_model
from wholesale.errors import ConfigurationError, Unanswerable
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.figures import COMPARISONS, GRAINS, LINES, ORDERS, Question, period_of, plan

SECTION = "dashboard"
"""The section of dlt's configuration; settings are named like the fields."""
COLUMNS = ("id", "name")
OBJECTS = ("buyer", "vendor", "product", "category", "order")
"""Pages of one object each, whose id follows in the address."""
LATE = date(9000, 1, 1)
"""A last known day after which no period that somebody may mean begins."""
ViewName = Annotated[str, Field(min_length=1, max_length=80)]


class DashboardSettings(BaseModel):
    """Raises: ConfigurationError from `read_settings`, with the setting, its place and the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    company: str = Field(default="Wholesale", min_length=1, max_length=80)
    """The name at the top of each page."""
    old_after_days: int = Field(default=7, ge=1)
    """After so many days without a newer version each page begins with the age of its figures. The
    dot at its top is amber before that: once a version is late by the usual gap between them."""
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
    views: Mapping[ViewName, str] = Field(default_factory=dict)
    """Views for everybody, in the menu of each page: a name, and what the address of the view has
    behind `#/`, such as `explore?metric=sales&by=vendor&period=last_quarter`."""

    @field_validator("views", mode="before")
    @classmethod
    def _read(cls, views: object) -> object:
        """In the environment they are JSON."""
        try:
            return json.loads(views) if isinstance(views, str) else views
        except ValueError:
            raise ValueError(
                "it is neither a table of names and addresses, nor JSON of one"
            ) from None

    @field_validator("views")
    @classmethod
    def _are_there(cls, views: Mapping[str, str]) -> Mapping[str, str]:
        found = {name: address.removeprefix("#/") for name, address in views.items()}
        for name, address in found.items():
            try:
                _require_view(address)
            except Unanswerable as error:
                raise ValueError(f"view {name!r}: {error}") from None
        return found


def read_settings() -> DashboardSettings:
    """Read `[dashboard]` of dlt's files, or `DASHBOARD__…` in the environment."""
    return read_model(DashboardSettings, SECTION)


def written_settings() -> str:
    """All that is set, with what the files say that are set, as a text that changes with it."""
    settings = read_settings()
    return f"{settings.model_dump_json()} {read_people(settings.people)}"


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


def _require_view(address: str) -> None:
    """Raises: Unanswerable for a page, a period, or a figure of Explore that is not there."""
    path, _, query = address.partition("?")
    page, _, key = unquote(path).partition("/")
    pages = [each.name for each in PAGES]
    if page not in pages and not (page in OBJECTS and key):
        raise Unanswerable(f"there is no page {page!r}: there are {', '.join(pages)}")
    try:
        said = {name: values[-1] for name, values in parse_qs(query, strict_parsing=True).items()}
    except ValueError:
        if query:
            raise Unanswerable(f"{query!r} does not read name=value&…") from None
        said = {}
    period_of(said.get("period", "all_time"), LATE)
    compare = said.get("compare", COMPARISONS[0])
    if compare not in COMPARISONS:
        raise Unanswerable(f"compare={compare} is none of {', '.join(COMPARISONS)}")
    if page == "explore":
        told_apart = [said[name] for name in ("by", "across") if name in said]
        planned = plan(
            Question(
                metrics=[said.get("metric", "sales")],
                by=[name for name in told_apart if name not in GRAINS],
                grain=next((name for name in told_apart if name in GRAINS), None),
            )
        )
        if planned.table not in (ORDERS, LINES):
            raise Unanswerable(
                f"Explore counts orders and lines, and {said['metric']} is of neither"
            )
