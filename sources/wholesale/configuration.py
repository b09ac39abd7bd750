"""Configuration: the settings of a run, as dlt's files, environment and vaults hold them."""

import os
from collections.abc import Iterator

import dlt

from wholesale.settings import SECRETS, SECTION, ApiSettings


def read_settings(**given: object) -> ApiSettings:
    """What is `given`, and every other setting from section `sources.wholesale` of dlt.

    Raises: ConfigurationError naming the setting that is missing, unknown or cannot be right.
    """
    found = {
        name: _value(name) for name in (*ApiSettings.model_fields, *sorted(_names_in_section()))
    }
    return ApiSettings.of(**{name: value for name, value in found.items() if value} | given)


def _value(name: str) -> str:
    """As text; empty where nobody set it. dlt reads secrets where secrets may be, nowhere else."""
    values = dlt.secrets if name in SECRETS else dlt.config
    value: object = values.get(f"{SECTION}.{name}")
    return "" if value is None else str(value).strip()


def _names_in_section() -> Iterator[str]:
    """Names that stand in the section; the sections below it are dlt's own."""
    *sections, last = SECTION.split(".")
    for provider in dlt.config.config_providers:
        values, _ = provider.get_value(last, dict, "", *sections)
        if isinstance(values, dict):
            yield from (name for name, value in values.items() if not isinstance(value, dict))
    prefix = SECTION.upper().replace(".", "__") + "__"
    for variable in os.environ:
        name = variable.removeprefix(prefix)
        if name != variable and "__" not in name:
            yield name.lower()
