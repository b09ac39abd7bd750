"""Settings of monitoring: whom to notify, and when; by default nobody."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

from wholesale.configuration import read_model
from wholesale.settings import is_private

SECTION = "monitoring"
"""The section of dlt's configuration; settings are named like the fields."""


def _is_address(value: SecretStr) -> SecretStr:
    if not is_private(value.get_secret_value()):
        raise ValueError("must begin with https://, as whoever reads it may post there")
    return value


def _is_safe(address: str) -> str:
    if not is_private(address):
        raise ValueError("must begin with https://, as others on the way could read what is sent")
    return address.rstrip("/")


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
        description="longest time of a POST, also to OTLP and OpenLineage",
    )
    stale_after_hours: float | None = Field(
        default=None, gt=0, description="a resource not proved complete for longer raises an alert"
    )
    otlp_endpoint: Annotated[str, AfterValidator(_is_safe)] | None = Field(
        default=None,
        description="an OpenTelemetry collector, by OTLP over HTTP (extra `otel`)",
    )
    openlineage_url: Annotated[str, AfterValidator(_is_safe)] | None = Field(
        default=None, description="a receiver of OpenLineage events, without `/api/v1/lineage`"
    )
    openlineage_api_key: SecretStr | None = Field(
        default=None, description="the receiver's key, sent as a bearer token; a secret"
    )
    openlineage_file: Path | None = Field(
        default=None, description="a file to which events are appended, a line each"
    )
    openlineage_namespace: str | None = Field(
        default=None, min_length=1, description="namespace of the jobs; by default the warehouse's"
    )
    textfile: Path | None = Field(
        default=None, description="a file of metrics for Prometheus' node exporter, `….prom`"
    )


def read_settings() -> MonitoringSettings:
    """Read `[monitoring]` of dlt's files, or `MONITORING__…` in the environment."""
    return read_model(MonitoringSettings, SECTION)
