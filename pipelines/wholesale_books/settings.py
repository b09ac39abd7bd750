"""Settings of the books: where they are kept."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from wholesale.configuration import read_model
from wholesale_elt.warehouse import Warehouse

SECTION = "books"
"""The section of dlt's configuration; settings are named like the fields."""


class BookSettings(BaseModel):
    """Raises: ConfigurationError from `read_settings`, with the setting, its place and the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: Path | None = Field(
        default=None,
        description="the folder in which each warehouse has its book, in a folder of its own:"
        " nothing else has what is in it, so it belongs into backups; by default `books` beside"
        " the warehouse",
    )
    metrics: tuple[str, ...] = Field(
        default=("sales", "orders"),
        description="the metrics of whose closed months each version has the journal, none if it is"
        " empty; a ratio brings its parts, and `all` is every metric that has a value of a month",
    )
    hand_over: Any = Field(
        default=None,
        description="who is handed each changed order by `run`: a section for each,"
        " `[books.hand_over.NAME]`",
    )


def read_settings() -> BookSettings:
    return read_model(BookSettings, SECTION)


def folder_of(warehouse: Warehouse) -> Path:
    """The folder of the book of this warehouse alone, which may not be there yet."""
    state = warehouse.state_folder
    folder = read_settings().folder or state.parent.parent / "books"
    return folder.expanduser().absolute() / state.name
