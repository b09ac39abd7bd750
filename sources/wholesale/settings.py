"""Settings: how to reach the service, and limits on pages, requests and time."""

from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from wholesale.api import PATH_PREFIX, ServiceFacts
from wholesale.errors import ConfigurationError

SECTION = "sources.wholesale"
"""The section of dlt's configuration; each setting has the name of its field there."""
PRIVACY = "privacy"
"""The section of what may be stored, and published, of personal data."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
DAY_SECONDS = 86_400.0
"""Upper bound of timeouts: sockets take no infinite ones."""
CENTURY_HOURS = 876_000.0
"""Upper bound of ages: dates reach back only so far."""
UNKNOWN, MISSING = "extra_forbidden", "missing"
"""The error types of pydantic for an unknown field and for a field without a value."""


def is_private(address: str) -> bool:
    """Whether nobody on the way can read what is sent there: https, or this machine itself."""
    parts = urlsplit(address)
    return parts.scheme == "https" or parts.hostname in LOOPBACK


class ApiSettings(BaseModel):
    """Settings of one run against one service.

    Raises: ConfigurationError from `of`, naming the setting, the rule and where to set it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    plain_http: bool = False
    """Whether the key may be sent unencrypted to another machine, which is refused by default."""
    base_url: str
    """Address of the service; ends with the version path (preamble, §9)."""
    api_key: SecretStr
    """The key, sent as `X-API-Key` with every request (§5) and to no other host; a secret."""
    page_size: int = Field(default=100, ge=1, le=10_000)
    """Records asked for per page, of order summaries up to five times as many."""
    concurrency: int = Field(default=64, ge=1, le=128)
    """Most requests at the same time; fewer if more do not make it faster."""
    timeout_seconds: float = Field(default=30.0, gt=0, le=DAY_SECONDS)
    """Longest silence of the service within a request."""
    deadline_seconds: float = Field(default=120.0, gt=0, le=DAY_SECONDS)
    """Longest time for one request with all its attempts."""
    attempts: int = Field(default=6, ge=1)
    """How often one request is tried before it is given up."""
    child_lists_every_hours: float = Field(default=0.0, ge=0, le=CENTURY_HOURS)
    """Least hours between two readings of variants and buyer users, which cost a request for each
    item or buyer. `wholesale sync variants` reads them at once."""
    absent_share: float = Field(default=0.25, ge=0, lt=1)
    """Largest share of the stored categories, or custom fields, that one run marks as deleted, as
    they cannot be asked for; one it always does, but for the last. More takes `--full`."""
    service: ServiceFacts = Field(default_factory=ServiceFacts)
    """What the service does where the description leaves it open, as far as the user sets it."""
    max_body_bytes: int = Field(default=64 * 2**20, ge=2**10)
    """Largest decoded response that is accepted."""

    @field_validator("base_url")
    @classmethod
    def _is_a_service_address(cls, value: str, info: ValidationInfo) -> str:
        address = value.strip().rstrip("/")
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("is no http(s) address")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no credentials, query or fragment")
        if not parts.path.endswith(PATH_PREFIX):
            raise ValueError(f"must end with {PATH_PREFIX}")
        if not (is_private(address) or info.data.get("plain_http")):
            raise ValueError(
                "must begin with https://, or everybody on the way could read the key (setting"
                " plain_http = true sends it all the same)"
            )
        return address

    @field_validator("api_key")
    @classmethod
    def _is_a_key(cls, value: SecretStr) -> SecretStr:
        key = value.get_secret_value().strip()
        if not key or not key.isascii() or not key.isprintable():
            raise ValueError("is empty or holds characters that no header may carry")
        return SecretStr(key)

    @classmethod
    def of(cls, place_of: Callable[[str], str] = lambda name: "", /, **values: object) -> Self:
        """Settings from loose values, with a message for a person when one cannot be right.

        `place_of` tells where a setting stands, empty if that is not known.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            faults = error.errors(include_url=False)
        # An unknown name first: a required setting may be missing because of it.
        fault = min(faults, key=lambda fault: fault["type"] != UNKNOWN)
        if fault["type"] == MISSING:
            missing = [str(fault["loc"][0]) for fault in faults if fault["type"] == MISSING]
            raise ConfigurationError(_missing_settings(missing))
        name = str(fault["loc"][0])
        raise ConfigurationError(_message(name, place_of(name), fault))


SECRETS = frozenset(
    name for name, field in ApiSettings.model_fields.items() if field.annotation is SecretStr
)


NUMBERS = frozenset(
    name for name, field in ApiSettings.model_fields.items() if field.annotation in (int, float)
)
"""The settings whose values a message may show: an address may hold a secret by mistake."""


def unknown_setting(section: str, setting: str, name: str, names: Collection[str]) -> str:
    """The message for a `name` that is none of the `names` which a section takes."""
    nearest = get_close_matches(name, names, 1)
    meant = f"did you mean {nearest[0]}? " if nearest else ""
    return f"setting {setting} is unknown: {meant}{section} takes {', '.join(names)}"


def _message(name: str, place: str, fault: Any) -> str:
    setting = f"{name} ({place})" if place else name
    if fault["type"] == UNKNOWN:
        return unknown_setting(SECTION, setting, name, ApiSettings.model_fields)
    return f"setting {setting} {_rule(name, fault)}: set {_places(name)}"


def _missing_settings(names: Sequence[str]) -> str:
    """The message for missing settings: all at once, so that a user sets them in one go."""
    are_missing = (
        f"setting {names[0]} is missing"
        if len(names) == 1
        else f"settings {' and '.join(names)} are missing"
    )
    to_set = ", and ".join(map(_places, names))
    return f"{are_missing}: set {to_set}, or try `wholesale demo`, which needs no account"


def _places(name: str) -> str:
    """Where a setting can be set."""
    file = ".dlt/secrets.toml" if name in SECRETS else ".dlt/config.toml"
    variable = f"{SECTION}.{name}".replace(".", "__").upper()
    return f"{SECTION}.{name} in {file} or {variable} in the environment"


def _rule(name: str, fault: Any) -> str:
    """What is wrong with a value, as it goes on after the name of its setting."""
    message = str(fault["msg"])
    if name in NUMBERS:
        return f"is {fault['input']!r} and {message.replace('Input should', 'should', 1)}"
    return message.removeprefix("Value error, ").replace("Input should", "should", 1)
