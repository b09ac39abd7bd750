"""Configuration: reads the settings of a section from the places where dlt reads them."""

import json
import os
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError

from wholesale.errors import ConfigurationError
from wholesale.places import ENVIRONMENT, File, places

if TYPE_CHECKING:
    from dlt.common.configuration.exceptions import ConfigProviderException

    from wholesale.privacy import Policy
    from wholesale.settings import ApiSettings

M = TypeVar("M", bound=BaseModel)

BYTE_ORDER_MARK = "\ufeff"
NO_LIST = frozenset({"tuple_type", "frozen_set_type"})
NO_ENTRY = frozenset({"string_type", "model_type", "dict_type"})
"""Faults of pydantic: a value is no list, or an entry of one is none."""
MISSPELT_RATIO = 0.85
"""Least similarity (`difflib`) at which a word is taken for a misspelling of another."""


def read_settings(**given: object) -> "ApiSettings":
    """The settings `given`, and all others from section `sources.wholesale` of dlt.

    An API key that is kept elsewhere (`KEPT_IN`) is read from there, unless it is given.

    Raises: ConfigurationError naming the setting that is missing, unknown or cannot be right.
    """
    from wholesale.api import SERVICE_SECTION, ServiceFacts
    from wholesale.credentials import KEPT_IN, read_key
    from wholesale.settings import SECRETS, SECTION, ApiSettings

    names = [name for name in ApiSettings.model_fields if name != "service"]
    found = read_section(SECTION, (*names, *KEPT_IN), SECRETS)
    values = {name: text for name, value in found.items() if (text := _text(value))}
    if "api_key" not in given and (key := read_key(values)):
        values["api_key"] = key
    settings = {name: value for name, value in values.items() if name not in KEPT_IN}
    if "service" not in given:
        given = {"service": read_model(ServiceFacts, SERVICE_SECTION), **given}
    return ApiSettings.of(lambda name: place_of(SECTION, name), **settings | given)


def _text(value: object) -> str:
    return json.dumps(value) if isinstance(value, list) else str(value).strip()


def read_section(
    section: str, names: Collection[str], secrets: Collection[str] = ()
) -> Mapping[str, object]:
    """The settings of these names that have a value, and any others that stand in the section.

    `secrets` are the names that dlt reads from places for secrets only.

    Raises: ConfigurationError for what would be ignored: a file of dlt's that cannot be read, a
    secret in a place for plain settings, a value in the place of the section, or a section whose
    name is this one misspelt.
    """
    found: dict[str, object] = {}
    with _readable():
        there = places()
        for name in (*names, *sorted(set(_names_in(section, there)) - set(names))):
            value = _secret(section, name) if name in secrets else _plain(section, name, there)
            if value is not None:
                found[name] = value
            elif name in secrets and (place := place_of(section, name)):
                raise ConfigurationError(_misplaced_secret(f"{section}.{name}", place))
    _refuse_misspelt(section, names, there)
    return found


def _secret(section: str, name: str) -> object:
    """From the places for secrets alone."""
    import dlt

    return dlt.secrets.get(f"{section}.{name}")


def _plain(section: str, name: str, there: Sequence[Any]) -> object:
    values = (place.get_value(name, Any, None, *section.split("."))[0] for place in there)
    return next((value for value in values if value is not None), None)


def _refuse_misspelt(section: str, names: Collection[str], there: Sequence[Any]) -> None:
    """Raises: ConfigurationError for a value in the place of the section, for one of these settings
    in a section whose name is this one misspelt, and for one that is a table, misspelt."""
    in_files = list(_settings_in_files(there))
    for other, name in in_files:
        if f"{other}.{name}".lstrip(".") == section:
            raise ConfigurationError(
                f"setting {section} ({place_of(other, name)}) is a section, and has no value: write"
                f" [{section}], and settings below it"
            )
        above, _, word = other.rpartition(".")
        near = get_close_matches(word, names, 1, MISSPELT_RATIO)
        if above == section and near and word not in names:
            raise ConfigurationError(
                f"section {other} ({place_of(other, name)}) is unknown, and {name} in it is not"
                f" read: did you mean {section}.{near[0]}?"
            )
    for other, name in (*in_files, *_settings_in_environment()):
        if name in names and _is_misspelt(other, section):
            raise ConfigurationError(
                f"section {other} ({place_of(other, name)}) is unknown, and {name} in it is not"
                f" read: did you mean {section}?"
            )


def _misplaced_secret(setting: str, place: str) -> str:
    variable = setting.replace(".", "__").upper()
    return (
        f"setting {setting} ({place}) is secret, and not read from there: move it to"
        f" .dlt/secrets.toml, or set {variable} in the environment"
    )


def _is_misspelt(other: str, section: str) -> bool:
    """Whether the name of a section is nearly this one, word by word; a section below this one may
    belong to another pipeline."""
    words, wanted = other.split("."), section.split(".")
    return (
        len(words) == len(wanted)
        and not other.startswith(section)
        and all(map(_are_alike, words, wanted))
    )


def _are_alike(word: str, wanted: str) -> bool:
    return bool(get_close_matches(wanted, [word], cutoff=MISSPELT_RATIO))


def _settings_in_files(there: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The section and name of each setting in dlt's files."""
    for place in there:
        if isinstance(place, File):
            yield from _leaves(place.settings)
        elif hasattr(place, "to_toml"):
            yield from _leaves(tomllib.loads(place.to_toml()))


def _settings_in_environment() -> Iterator[tuple[str, str]]:
    """The section and name of each variable of the environment, as if it were a setting."""
    for variable in os.environ:
        *sections, name = variable.lower().split("__")
        yield ".".join(sections), name


def _leaves(table: Mapping[str, object], section: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{section}.{name}".lstrip("."))
        else:
            yield section, name


def read_policy() -> "Policy":
    """What may be stored, by section `privacy` of dlt.

    Raises: ConfigurationError naming the setting that is unknown or cannot be right.
    """
    from wholesale.privacy import SECTION as PRIVACY
    from wholesale.privacy import Policy, PrivacySettings

    return Policy.of(read_model(PrivacySettings, PRIVACY))


def read_model(
    model: type[M], section: str, is_own: Callable[[str], bool] = lambda name: True
) -> M:
    """The settings of a section, checked by a model; those of other models there are not its own.

    Raises: ConfigurationError naming the setting, its value unless secret, its place and the rule.
    """
    secrets = {name for name, field in model.model_fields.items() if _is_secret(field.annotation)}
    found = {
        name: value
        for name, value in read_section(section, model.model_fields, secrets).items()
        if name in model.model_fields or is_own(name)
    }
    values = {
        name: names_in(value) if name in model.model_fields and _is_list(model, name) else value
        for name, value in found.items()
    }
    try:
        return model.model_validate(values)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    if not fault["loc"]:
        raise ConfigurationError(f"section {section}: {fault['msg'].removeprefix('Value error, ')}")
    name = str(fault["loc"][0])
    setting = f"{section}.{name} ({place_of(section, name)})"
    if fault["type"] == "extra_forbidden":
        from wholesale.settings import unknown_setting

        raise ConfigurationError(unknown_setting(section, setting, name, model.model_fields))
    value = "" if name in secrets else f"is {found[name]!r}: "
    is_no_list = fault["type"] in NO_LIST or (len(fault["loc"]) > 1 and fault["type"] in NO_ENTRY)
    rule = _list_rule(model, name) if is_no_list else fault["msg"].removeprefix("Value error, ")
    raise ConfigurationError(f"setting {setting} {value}{rule[:1].lower()}{rule[1:]}")


def _is_secret(annotation: object) -> bool:
    return annotation is SecretStr or any(map(_is_secret, get_args(annotation)))


def names_in(value: object) -> object:
    """The list that a text stands for, as in the environment: names separated by commas, or JSON.

    What is no text, or no JSON though it begins so, is returned as it is.
    """
    if not isinstance(value, str):
        return value
    if value.lstrip()[:1] in ("[", "{"):
        with suppress(json.JSONDecodeError, RecursionError):
            return json.loads(value)
        return value
    return [name.strip() for name in value.split(",") if name.strip()]


def _is_list(model: type[BaseModel], name: str) -> bool:
    return _entry_of(model.model_fields[name].annotation) is not None


def _entry_of(annotation: object) -> object:
    """The type of the entries of a list, also of one that may be none; None if it is no list."""
    if get_origin(annotation) in (tuple, frozenset):
        return get_args(annotation)[0]
    return next(filter(None, map(_entry_of, get_args(annotation))), None)


def _list_rule(model: type[BaseModel], name: str) -> str:
    """What to write for a setting that is a list of names, or of tables of settings."""
    entry = _entry_of(model.model_fields[name].annotation)
    if isinstance(entry, type) and issubclass(entry, BaseModel):
        return f"write a list of tables in JSON, [{{…}}], each with {', '.join(entry.model_fields)}"
    return 'write a list: names separated by commas, or JSON such as ["first", "second"]'


def place_of(section: str, name: str) -> str:
    """Where a setting stands: a file, or its variable of the environment; empty if nowhere."""
    for provider in places():
        value, key = provider.get_value(name, object, "", *filter(None, section.split(".")))
        if value is not None:
            if provider.name == ENVIRONMENT:
                return f"{key} in the environment"
            return " or ".join(map(_shown, provider.present_locations)) or provider.name
    return ""


def require_readable() -> None:
    """Raises: ConfigurationError naming the file of dlt's that cannot be read."""
    with _readable():
        places()


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if "dlt" in sys.modules:
            from dlt.common.configuration.exceptions import ConfigProviderException

            if isinstance(error, ConfigProviderException):
                raise ConfigurationError(broken_file(error)) from None
        raise


def broken_file(error: "ConfigProviderException") -> str:
    """The message for the file of dlt's that cannot be read: which, where and why."""
    for path in map(Path, getattr(error, "full_paths", ())):
        try:
            text = path.read_text("utf-8")
            if text.startswith(BYTE_ORDER_MARK):
                return f"{_shown(path)} begins with a byte order mark: save it as UTF-8 without one"
            tomllib.loads(text)
        except FileNotFoundError:
            continue
        except UnicodeDecodeError:
            return f"{_shown(path)} is no text in UTF-8: write it anew"
        except OSError as fault:
            return f"{_shown(path)} cannot be read: {str(fault.strerror).lower()}"
        except RecursionError:
            return f"{_shown(path)} is nested too deeply to be read: mend it"
        except tomllib.TOMLDecodeError as fault:
            return f"{_shown(path)} is no TOML: {str(fault)[:1].lower()}{str(fault)[1:]}; mend it"
    return " ".join(str(error).split())


def _shown(path: Path | str) -> str:
    """The path, relative to the working folder if it lies below."""
    path = Path(path).absolute()
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _names_in(section: str, there: Sequence[Any]) -> Iterator[str]:
    """Names that stand in the section; the sections below it are dlt's own."""
    *sections, last = section.split(".")
    for provider in there:
        values, _ = provider.get_value(last, dict, "", *sections)
        if isinstance(values, dict):
            yield from (name for name, value in values.items() if not isinstance(value, dict))
    prefix = section.upper().replace(".", "__") + "__"
    for variable in os.environ:
        name = variable.removeprefix(prefix)
        if name != variable and "__" not in name:
            yield name.lower()
