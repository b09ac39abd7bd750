"""Settings of agents: the token with which they ask over HTTP."""

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from wholesale.configuration import read_model
from wholesale.errors import ConfigurationError

SECTION = "agents"
"""The section of dlt's configuration; settings are named like the fields."""


class AgentSettings(BaseModel):
    """Raises: ConfigurationError from `read_token`, with the setting, its place and the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    token: SecretStr | None = Field(
        default=None,
        min_length=24,
        description="what agents send as bearer token over HTTP, at least 24 characters; a secret",
    )


def read_token() -> str:
    """Read `[agents]` of dlt's secrets, or `AGENTS__TOKEN` in the environment.

    Raises: ConfigurationError if there is no token, also on this machine: other users of it, and
    pages in a browser, reach its ports too.
    """
    token = read_model(AgentSettings, SECTION).token
    if token is None:
        raise ConfigurationError(
            "over HTTP agents are answered with a token only: set AGENTS__TOKEN in the environment,"
            " or token in section [agents] of .dlt/secrets.toml, to 24 random characters or more"
        )
    return token.get_secret_value()
