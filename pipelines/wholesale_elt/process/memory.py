"""Memory: how much of it DuckDB may use, as the user sets it."""

from pydantic import BaseModel, ConfigDict, Field

from wholesale.configuration import read_model

SECTION = "memory"
"""The section of dlt's configuration; settings are named like the fields."""


class MemorySettings(BaseModel):
    """Raises: ConfigurationError from `read_settings`, with the setting, its place and the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    megabytes: int = Field(default=500, ge=32)
    """Memory that DuckDB may use. What does not fit is spilled to disk, but for the texts of 2,048
    rows: more is needed where these are larger, as with images in descriptions."""


def read_settings() -> MemorySettings:
    """Read `[memory]` of dlt's files, or `MEMORY__…` in the environment."""
    return read_model(MemorySettings, SECTION)
