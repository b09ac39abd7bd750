"""Settings of letters: who gets one, of what, and on which days; by default nobody."""

from hashlib import sha256
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from wholesale.configuration import read_model
from wholesale.errors import ConfigurationError
from wholesale_elt.monitoring import Page
from wholesale_elt.publish import plain_part

SECTION = "letters"
"""The section of dlt's configuration; settings are named like the fields."""
Weekday = Literal["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
WEEKDAYS: tuple[Weekday, ...] = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _is_mailbox(value: str) -> str:
    name, _, host = value.rpartition("@")
    if not name or not host or any(letter.isspace() or letter in '<>,;"' for letter in value):
        raise ValueError("must be a mail address such as desk@example.org, without a name")
    return value


def _is_part(value: str) -> str:
    try:
        return plain_part(value)
    except ConfigurationError as error:
        raise ValueError(str(error)) from None


class Recipient(BaseModel):
    """Who gets a letter: everything, or `only` a part; every day, or on some weekdays."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: Annotated[str, AfterValidator(_is_mailbox)]
    only: Annotated[str, AfterValidator(_is_part)] | None = None
    weekdays: tuple[Weekday, ...] = WEEKDAYS
    page: Page | None = None

    @model_validator(mode="after")
    def _is_told_some_day(self) -> Self:
        if not self.weekdays:
            raise ValueError("weekdays is empty: leave it out for every day")
        return self

    @property
    def key(self) -> str:
        """Who it is, without saying it."""
        return sha256(f"{self.address.lower()} {self.only or ''}".encode()).hexdigest()[:16]


class LetterSettings(BaseModel):
    """Raises: ConfigurationError from `read_settings`, with the setting, its place and the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recipients: tuple[Recipient, ...] = Field(
        default=(),
        description="who gets a letter: each has an `address`, and may have `only` (`vendor=ID`,"
        " `manager=ID` or `buyer=ID`), `weekdays` (`Mon` to `Sun`), and the `page` that its links"
        " lead to",
    )
    address: Page | None = Field(
        default=None,
        description="the whole address of the published page, to which the links of letters on"
        " everything lead; without it there are none",
    )
    pdf: bool = Field(
        default=True, description="whether the letter goes with it on one page of paper, too"
    )
    workbook: bool = Field(
        default=True,
        description="whether the workbook of the version goes with it, where it has one",
    )

    @model_validator(mode="after")
    def _has_each_once(self) -> Self:
        keys = [recipient.key for recipient in self.recipients]
        if len({*keys}) < len(keys):
            raise ValueError("recipients has an address twice with the same part")
        return self

    def page_of(self, recipient: Recipient) -> str | None:
        """The page that a letter leads to: that of everything is not shown to who gets a part."""
        return recipient.page or (None if recipient.only else self.address)


def read_settings() -> LetterSettings:
    """Read `[letters]` of dlt's files, or `LETTERS__…` in the environment."""
    return read_model(LetterSettings, SECTION)
