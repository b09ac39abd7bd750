"""Settings of a receiver: where its batches go, how they are written, and of which orders."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wholesale.configuration import names_in, place_of
from wholesale.errors import ConfigurationError, legible
from wholesale_books.settings import SECTION, read_settings

Format = Literal["jsonl", "csv", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)
NAME = re.compile(r"[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?")
"""Names of receivers, which are names of folders as well."""
KINDS = ("vendor", "state")
"""What a filter can ask for, in the order in which what an order fails is told."""
ALL = "all"
"""The filter that every order passes."""


class Filter(msgspec.Struct, frozen=True):
    """Of which vendors, by id, and in which states orders are handed over; empty is any."""

    vendor: tuple[str, ...] = ()
    state: tuple[str, ...] = ()

    def __str__(self) -> str:
        vendors = [f"vendor={vendor}" for vendor in self.vendor]
        return ", ".join([*vendors, *(f"state={state}" for state in self.state)]) or "all orders"


class ReceiverSettings(BaseModel):
    """The settings of one receiver, `[books.hand_over.NAME]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    to: str | None = Field(
        default=None,
        description="where batches go: a folder, `s3://BUCKET/PREFIX` or another bucket, or"
        " `postgres://…` without a password, which stands in `PGPASSWORD` or `~/.pgpass`",
    )
    format: Format | None = Field(
        default=None,
        description="how batches are written: `jsonl` (by default), `csv` or `parquet`",
    )
    where: tuple[str, ...] | None = Field(
        default=None,
        description="which orders are handed over, each `vendor=ID` or `state=NAME`, of one kind"
        " any of them; by default all",
    )
    keep_days: int = Field(
        default=30,
        ge=0,
        description="the days for which a batch is kept after it was acknowledged, so that it can"
        " be delivered again",
    )


def receivers() -> Mapping[str, ReceiverSettings]:
    """What `[books.hand_over]` says, by name.

    Raises: ConfigurationError, which shows no value, as one may hold a password.
    """
    found = names_in(read_settings().hand_over or {})
    if not isinstance(found, dict):
        raise ConfigurationError(
            f"setting {SECTION}.hand_over ({place_of(SECTION, 'hand_over')}) has no receivers:"
            f" write [{SECTION}.hand_over.NAME], or JSON such as"
            ' {"ledger": {"to": "s3://books/ledger"}}'
        )
    return {name: _read(name, settings) for name, settings in found.items()}


def _read(name: str, found: object) -> ReceiverSettings:
    require_name(name)
    section = f"{SECTION}.hand_over.{legible(name)}"
    if not isinstance(found, dict):
        raise ConfigurationError(
            f"setting {section} ({place_of(f'{SECTION}.hand_over', name)}) is no section: write"
            f" [{section}], and settings below it"
        )
    try:
        if "where" in found:
            found = found | {"where": names_in(found["where"])}
        settings = ReceiverSettings.model_validate(found)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        setting = legible(".".join(map(str, fault["loc"][:1])))
        raise ConfigurationError(
            f"setting {section}.{setting} cannot be right: {fault['msg']}; there are"
            f" {', '.join(ReceiverSettings.model_fields)}"
        ) from None
    if settings.where:
        filter_of(settings.where)
    return settings


def require_name(name: str) -> str:
    """Raises: ConfigurationError."""
    if not NAME.fullmatch(name):
        raise ConfigurationError(
            f"{legible(name)} cannot be the name of a receiver: write small letters, digits, - and"
            " _, such as ledger"
        )
    return name


def filter_of(words: Sequence[str]) -> Filter:
    """Raises: ConfigurationError."""
    if list(words) == [ALL]:
        return Filter()
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for word in words:
        kind, equals, value = (part.strip() for part in word.partition("="))
        if kind not in found or not (equals and value):
            raise ConfigurationError(
                f"a filter cannot be {legible(word)}: write vendor=ID, state=NAME, or {ALL}"
            )
        found[kind].add(value.lower() if kind == "state" else value)
    return Filter(*(tuple(sorted(found[kind])) for kind in KINDS))
