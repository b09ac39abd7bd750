"""Settings of monitoring: whom to notify, and when; by default nobody."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

from wholesale.configuration import read_model, read_section
from wholesale.errors import ConfigurationError
from wholesale.settings import is_private
from wholesale_elt.monitoring.rules import Rule
from wholesale_elt.process import plugin_names

S = TypeVar("S", bound=BaseModel)

SECTION = "monitoring"
"""The section of dlt's configuration; settings are named like the fields."""


def _is_address(value: SecretStr) -> SecretStr:
    if not is_private(value.get_secret_value()):
        raise ValueError("must begin with https://, as whoever reads it may post there")
    return value


def _is_mail_server(value: SecretStr) -> SecretStr:
    at = urlsplit(value.get_secret_value())
    if at.scheme not in ("smtp", "smtps") or not at.hostname:
        raise ValueError("must be smtps://user:password@host or smtp://user:password@host")
    return value


def _is_page(value: str) -> str:
    at = urlsplit(value)
    if at.scheme not in ("https", "http") or not at.hostname or at.fragment:
        raise ValueError(
            "must be the whole address of the published page, such as https://host/index.html"
        )
    return value


Page = Annotated[str, AfterValidator(_is_page)]


class MonitoringSettings(BaseModel):
    """Raises: ConfigurationError from `read`, naming the setting, its place and the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    webhook_url: Annotated[SecretStr, AfterValidator(_is_address)] | None = Field(
        default=None, description="where alerts are posted; a secret, as anyone who has it can post"
    )
    webhook_seconds: float = Field(
        default=10.0,
        gt=0,
        le=300,
        description="longest time of a POST, also to OTLP and OpenLineage, and of a step of a mail",
    )
    stale_after_hours: float | None = Field(
        default=None, gt=0, description="a resource not proved complete for longer raises an alert"
    )
    mail_to: tuple[str, ...] = Field(
        default=(), description="addresses to which the same is mailed, as text"
    )
    mail_from: str | None = Field(default=None, description="the sender of these mails")
    mail_server: Annotated[SecretStr, AfterValidator(_is_mail_server)] | None = Field(
        default=None,
        description="`smtps://user:password@host`, or `smtp://…`, which begins with STARTTLS",
    )
    page: Page | None = Field(
        default=None,
        description="the whole address of the published page, to which the links of mails lead;"
        " without it there are none",
    )
    mail_workbook: bool = Field(
        default=False,
        description="whether the workbook of the version goes with mails of rules and news, where"
        " it has one",
    )
    news: bool = Field(
        default=False,
        description="whether to tell, after a publication, what moved the sales since last told",
    )
    rules: tuple[Rule, ...] = Field(
        default=(),
        description="figures to hear of: each has a `metric`, `below` or `above`, and may have a"
        " `period`, `where` and `older_than_days`; or `tasks` or `events` of a kind for it",
    )
    textfile: Path | None = Field(
        default=None, description="a file of metrics for Prometheus' node exporter, `….prom`"
    )

    @model_validator(mode="after")
    def _mails_can_be_sent(self) -> Self:
        if self.mail_to and not (self.mail_server and self.mail_from):
            raise ValueError("mail_to needs mail_server and mail_from, too")
        return self

    @property
    def tells_somebody(self) -> bool:
        return bool(self.webhook_url or self.mail_to)


def read_settings() -> MonitoringSettings:
    """Read `[monitoring]` of dlt's files, or `MONITORING__…` in the environment.

    Settings that begin with the name of a sink, such as `otlp_endpoint`, are that sink's.
    """
    others = tuple(f"{name}_" for name in plugin_names("sinks"))
    return read_model(MonitoringSettings, SECTION, lambda name: not name.startswith(others))


@dataclass(frozen=True, slots=True)
class MailServer:
    """By which server mail goes out, from whom, and how many seconds a step of it may take."""

    url: SecretStr
    sender: str
    seconds: float


def read_mail_server() -> MailServer:
    """What sends mail of other rooms.

    Raises: ConfigurationError, also where none is set.
    """
    settings = read_settings()
    if settings.mail_server is None or settings.mail_from is None:
        missing = "mail_server" if settings.mail_server is None else "mail_from"
        raise ConfigurationError(
            f"setting {SECTION}.{missing} is missing, so no mail can be sent: set it in"
            f" .dlt/{'secrets' if missing == 'mail_server' else 'config'}.toml, or"
            f" {SECTION.upper()}__{missing.upper()} in the environment"
        )
    return MailServer(settings.mail_server, settings.mail_from, settings.webhook_seconds)


def read_sink_settings(model: type[S], sink: str) -> S:
    """The settings of that sink; `model` may also have fields of `MonitoringSettings`.

    Raises: ConfigurationError naming the setting that is unknown or cannot be right.
    """
    return read_model(model, SECTION, lambda name: name.startswith(f"{sink}_"))


def sinks_set() -> Sequence[str]:
    """The names of the sinks that have a setting."""
    names = read_section(SECTION, ())
    return [
        sink for sink in plugin_names("sinks") if any(name.startswith(f"{sink}_") for name in names)
    ]
