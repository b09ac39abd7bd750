"""Where a run's settings come from: dlt's config files and environment, read here only."""

from typing import TYPE_CHECKING

from wholesale.errors import ConfigurationError

if TYPE_CHECKING:
    from wholesale.settings import ApiSettings

SECTION = "sources.wholesale"
OPTIONAL = (
    "page_size",
    "concurrency",
    "timeout_seconds",
    "deadline_seconds",
    "attempts",
    "child_lists_every_hours",
    "max_body_bytes",
)


def read_api_settings() -> "ApiSettings":
    """Settings of the service from `.dlt/config.toml`, `.dlt/secrets.toml` or the environment.

    Raises: ConfigurationError naming the setting that is missing or cannot be right.
    """
    import dlt

    from wholesale.settings import ApiSettings

    values: dict[str, object] = {
        "base_url": _required("base_url", ".dlt/config.toml"),
        "api_key": _required("api_key", ".dlt/secrets.toml"),
    }
    for name in OPTIONAL:
        value: object = dlt.config.get(f"{SECTION}.{name}")
        if value is not None:
            values[name] = value
    return ApiSettings.of(**values)


def _required(name: str, file: str) -> str:
    import dlt

    value: object = dlt.secrets.get(f"{SECTION}.{name}")
    if value is None or not str(value).strip():
        raise ConfigurationError(
            f"setting {name} is missing: set {SECTION}.{name} in {file} or"
            f" SOURCES__WHOLESALE__{name.upper()} in the environment, or try `wholesale demo`,"
            " which needs no account"
        )
    return str(value)
