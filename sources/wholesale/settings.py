"""Settings: how to reach the service and how hard to press it, in one frozen object."""

from difflib import get_close_matches
from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from wholesale.api import PATH_PREFIX
from wholesale.errors import ConfigurationError

SECTION = "sources.wholesale"
"""Of dlt's configuration; each setting has the name of its field there."""
UNKNOWN, MISSING = "extra_forbidden", "missing"
"""What pydantic calls the fault of a name that is no field, and of a field without a value."""


class ApiSettings(BaseModel):
    """Settings of one run against one service.

    Raises: ConfigurationError from `of`, naming the setting, the rule and where to set it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str
    """Address of the service; ends with the version path (preamble, §9)."""
    api_key: SecretStr
    """Sent as `X-API-Key` with every request (§5), and to no other host."""
    page_size: int = Field(default=100, ge=1, le=10_000)
    """Records asked for per page; the service may give fewer (§8 shows no maximum)."""
    concurrency: int = Field(default=64, ge=1, le=128)
    """Most requests under way at once; fewer where more do not pay. §8 shows no rate limit."""
    timeout_seconds: float = Field(default=30.0, gt=0)
    """Longest silence of the service within a request."""
    deadline_seconds: float = Field(default=120.0, gt=0)
    """Longest time for one request with all its attempts."""
    attempts: int = Field(default=6, ge=1)
    """How often one request is tried before it is given up."""
    child_lists_every_hours: float = Field(default=0.0, ge=0)
    """Least age of what was read of variants and buyer users, which take a request an item or a
    buyer (§4.12), before a sync reads them again; 0 reads them each time."""
    max_body_bytes: int = Field(default=64 * 2**20, ge=2**10)
    """Largest decoded body accepted; §8 shows no maximum."""

    @field_validator("base_url")
    @classmethod
    def _is_a_service_address(cls, value: str) -> str:
        address = value.strip().rstrip("/")
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("is no http(s) address")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no credentials, query or fragment")
        if not parts.path.endswith(PATH_PREFIX):
            raise ValueError(f"must end with {PATH_PREFIX}")
        return address

    @field_validator("api_key")
    @classmethod
    def _is_a_key(cls, value: SecretStr) -> SecretStr:
        key = value.get_secret_value().strip()
        if not key or not key.isascii() or not key.isprintable():
            raise ValueError("is empty or holds characters that no header may carry")
        return SecretStr(key)

    @classmethod
    def of(cls, **values: object) -> Self:
        """Settings from loose values, with a message for a person when one cannot be right."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            faults = error.errors(include_input=False, include_url=False)
        # An unknown name first: a required setting may be missing because of it.
        fault = min(faults, key=lambda fault: fault["type"] != UNKNOWN)
        raise ConfigurationError(_message(str(fault["loc"][0]), fault["type"], fault["msg"]))


SECRETS = frozenset(
    name for name, field in ApiSettings.model_fields.items() if field.annotation is SecretStr
)


def _message(name: str, fault: str, rule: str) -> str:
    names = ApiSettings.model_fields
    if fault == UNKNOWN:
        nearest = get_close_matches(name, names, 1)
        meant = f"did you mean {nearest[0]}? " if nearest else ""
        return f"setting {name} is unknown: {meant}{SECTION} takes {', '.join(names)}"
    file = ".dlt/secrets.toml" if name in SECRETS else ".dlt/config.toml"
    variable = f"{SECTION}.{name}".replace(".", "__").upper()
    place = f"set {SECTION}.{name} in {file} or {variable} in the environment"
    if fault == MISSING:
        return (
            f"setting {name} is missing: {place}, or try `wholesale demo`, which needs no account"
        )
    return f"setting {name} {rule.removeprefix('Value error, ')}: {place}"
