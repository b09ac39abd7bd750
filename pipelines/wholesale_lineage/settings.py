"""Settings of sinks: the addresses that are told; by default none."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

from wholesale.settings import is_private


def _is_safe(address: str) -> str:
    if not is_private(address):
        raise ValueError("must begin with https://, as others on the way could read what is sent")
    return address.rstrip("/")


Address = Annotated[str, AfterValidator(_is_safe)]


class OpenLineageSettings(BaseModel):
    """The settings of section `monitoring` that begin with `openlineage_`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    openlineage_url: Address | None = Field(
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
    webhook_seconds: float = Field(default=10.0, gt=0, le=300)


class TelemetrySettings(BaseModel):
    """The setting of section `monitoring` that begins with `otlp_`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    otlp_endpoint: Address | None = Field(
        default=None, description="an OpenTelemetry collector, by OTLP over HTTP (extra `otel`)"
    )
    webhook_seconds: float = Field(default=10.0, gt=0, le=300)
