"""Settings of spreadsheets: which are written; by default none."""

from pydantic import BaseModel, ConfigDict, Field

from wholesale.configuration import read_model

SECTION = "spreadsheets"
"""The section of dlt's configuration; settings are named like the fields."""


class SpreadsheetSettings(BaseModel):
    """Raises: ConfigurationError from `read_settings`, with the setting, its place and the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    xlsx: bool = Field(
        default=False,
        description="whether each version has a workbook, `wholesale.xlsx` (extra `spreadsheets`)",
    )
    csv: bool = Field(
        default=False, description="whether each version has its sheets as `csv/<sheet>.csv` too"
    )


def read_settings() -> SpreadsheetSettings:
    """Read `[spreadsheets]` of dlt's files, or `SPREADSHEETS__…` in the environment."""
    return read_model(SpreadsheetSettings, SECTION)
