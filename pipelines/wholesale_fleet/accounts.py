"""Accounts: the contents of `accounts.toml`: address, key, interval and settings of each account.

The file contains no key. A mistake in it stops everything before anything begins. An account with a
wrong service or key fails in its own run, and stops no other.
"""

import json
import logging
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from wholesale.api import RESOURCE
from wholesale.configuration import read_section
from wholesale.credentials import KEPT_IN
from wholesale.errors import ConfigurationError, one_line
from wholesale.settings import CENTURY_HOURS, SECRETS, SECTION, ApiSettings, unknown_setting
from wholesale_elt.models import BUILD, ModelSettings
from wholesale_elt.warehouse import SharedSetting, Warehouse, tested, warehouse_in
from wholesale_fleet.consolidation import EVERY_HOURS
from wholesale_fleet.hosts import Hosts
from wholesale_fleet.shards import Shard

log = logging.getLogger("wholesale.fleet")

M = TypeVar("M", bound=BaseModel)

NAMES = re.compile(r"[a-z][a-z0-9_]{0,39}")
"""Names of accounts, which become names of files, databases and namespaces."""
NAME = "{account}"
"""Placeholder for the name of the account in a value."""
OF_A_SERVICE = sorted({*ApiSettings.model_fields, *KEPT_IN} - SECRETS)
"""Settings of `sources.wholesale` that an account may have of its own."""
_UNTOLD = {"api_key": "kept elsewhere", "plain_http": True}
"""Values for required settings that the file need not have, so that the others can be checked."""
SHARED = {
    "monitoring.textfile": SharedSetting(
        lambda path, name: str(Path(path).with_suffix(f".{name}{Path(path).suffix}"))
    ),
}
"""Settings that would lead all accounts to one place, besides those of destinations."""


class Account(BaseModel):
    """An account. `service` and `build` are its settings of `sources.wholesale` and of `build`, as
    texts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    service: Mapping[str, str]
    every_hours: float = Field(
        default=EVERY_HOURS,
        gt=0,
        le=CENTURY_HOURS,
        description="how often it is due; a run that failed once is due at once",
    )
    most_minutes: float = Field(
        default=360.0,
        gt=0,
        le=CENTURY_HOURS * 60,
        description="a run that takes longer is stopped, and goes on next time",
    )
    resources: tuple[str, ...] = Field(
        default=(), description="what is loaded, all 12 resources if none is named"
    )
    build: Mapping[str, str] = Field(
        default={},
        description="a table: settings of `[build]` of its own, such as `currency`, `time_zone`",
    )

    @field_validator("resources")
    @classmethod
    def _are_resources(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in RESOURCE:
                near = get_close_matches(name, RESOURCE, 1)
                meant = f"did you mean {near[0]}? " if near else ""
                raise ValueError(f"names {name}: {meant}there are {', '.join(RESOURCE)}")
        return names

    @property
    def host(self) -> str:
        """The host of its service, with the port if there is one."""
        return urlsplit(self.service.get("base_url", "")).netloc.lower()


class Fleet(BaseModel):
    """All accounts, and where they are loaded and published."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    destination: str = Field(default="duckdb", description="as `--destination`")
    folder: Path = Field(
        default=Path("accounts"),
        description="of warehouses that lie on this machine, each by the name of its account",
    )
    published: str = Field(
        default="published",
        description="where `run` publishes: a folder or bucket, each account below it",
    )
    accounts: tuple[Account, ...]
    host_limits: Mapping[str, int] = Field(default_factory=dict)

    @property
    def hosts(self) -> Hosts:
        return Hosts(self.folder.absolute() / ".wholesale/hosts", self.host_limits)

    def chosen(self, names: Sequence[str], shard: Shard | None) -> tuple[Account, ...]:
        """The accounts of these names, or all, that are in the share.

        Raises: ConfigurationError for an unknown name.
        """
        known = {account.name: account for account in self.accounts}
        for name in names:
            if name not in known:
                near = get_close_matches(name, known, 1)
                meant = f"did you mean {near[0]}?" if near else f"there are {len(known):,}"
                raise ConfigurationError(f"there is no account {name}: {meant}")
        found = (known[name] for name in dict.fromkeys(names)) if names else self.accounts
        return tuple(account for account in found if not shard or shard.has(account.name))

    def database(self, account: Account) -> Path:
        """Where it is loaded: a file or folder of its own, or a database of the server."""
        usual = Path(tested(self.destination).database)
        return self.folder / f"{account.name}{usual.suffix}" if usual.name else Path(account.name)

    def warehouse(self, account: Account) -> Warehouse:
        return warehouse_in(self.destination, self.database(account))

    def words(self, account: Account, words: Sequence[str]) -> Sequence[str]:
        """A command for this account alone."""
        at = ("--destination", self.destination, "--database", str(self.database(account)))
        place = f"{self.published.rstrip('/')}/{account.name}"
        to = ("--to", place) if words[0] == "run" else ()
        return [*words, *account.resources, *at, *to]

    def environment(self, account: Account) -> dict[str, str]:
        """The environment variables with which a process works for this account alone.

        Raises: ConfigurationError for an unreadable file of dlt's.
        """
        own = {f"{SECTION}.{name}": value for name, value in account.service.items()}
        own |= {f"{BUILD}.{name}": value for name, value in account.build.items()}
        for setting, shared in {**SHARED, **tested(self.destination).shared}.items():
            section, _, name = setting.rpartition(".")
            found = read_section(section, [name], [name] if shared.is_secret else ())
            if name in found:
                own[setting] = shared.own_of(str(found[name]), account.name)
        return {_variable(setting): value for setting, value in own.items()}


def without_shared_key(account: Account, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment, without a common key if the account has its own."""
    keys = {_variable(f"{SECTION}.{name}") for name in ("api_key", *KEPT_IN)}
    has_own = not account.service.keys().isdisjoint(KEPT_IN)
    return {name: value for name, value in environ.items() if not (has_own and name in keys)}


def read_fleet(path: Path) -> Fleet:
    """Read the file.

    Raises: ConfigurationError with the place in the file, and the nearest name for an unknown one.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigurationError(
            f"there is no {path}: write one, as pipelines/wholesale_fleet/README.md shows"
        ) from None
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise ConfigurationError(f"{path} is nested too deeply to be read") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        text = str(error)
        raise ConfigurationError(f"{path} is no TOML: {text[:1].lower()}{text[1:]}") from None
    return _Reader(path).fleet(table)


class _Reader:
    """Reads the file, and locates mistakes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def fleet(self, table: dict[str, Any]) -> Fleet:
        tables = {name: self._table(table, name) for name in ("accounts", "defaults", "hosts")}
        own = {name: value for name, value in table.items() if name not in tables}
        self._know("", own, {*Fleet.model_fields, *tables} - {"host_limits"})
        if not tables["accounts"]:
            self._refuse("accounts", "names nobody: write a table [accounts.NAME] for each")
        defaults = tables["defaults"]
        accounts = [
            self._account(name, self._table(tables["accounts"], name, "accounts."), defaults)
            for name in tables["accounts"]
        ]
        limits = self._host_limits(tables["hosts"], {account.host for account in accounts})
        self._warn_of_twins(accounts)
        fleet = self._made(Fleet, "", {**own, "accounts": accounts, "host_limits": limits})
        tested(fleet.destination)
        return fleet

    def _host_limits(self, table: dict[str, Any], hosts: Collection[str]) -> dict[str, int]:
        for host, at_once in table.items():
            setting = f'hosts."{host}"'
            if type(at_once) is not int or at_once < 1:
                self._refuse(setting, "should be how many of its accounts run at once")
            if host.lower() not in hosts:
                near = get_close_matches(host.lower(), hosts, 1, 0.5)
                meant = f", did you mean {near[0]}?" if near else f": {', '.join(sorted(hosts))}"
                self._refuse(
                    setting, f"is no host of an account, with its port if it has one{meant}"
                )
        return {host.lower(): at_once for host, at_once in table.items()}

    def _warn_of_twins(self, accounts: Sequence[Account]) -> None:
        """Two accounts that load the same resources of one service, by the same key, are added up
        twice where all are published together."""
        seen: dict[tuple[str | None, ...], Account] = {}
        for account in accounts:
            for resource in account.resources or RESOURCE:
                keys = (account.service.get(name) for name in sorted(KEPT_IN))
                same = (resource, account.service["base_url"].rstrip("/").lower(), *keys)
                if (twin := seen.setdefault(same, account)) is not account:
                    log.warning(
                        "accounts %s and %s (%s) load %s of the same service by the same key:"
                        " figures of all accounts count it twice",
                        *(twin.name, account.name, self._path, resource),
                    )
                    break

    def _account(self, name: str, row: dict[str, Any], defaults: dict[str, Any]) -> Account:
        if not NAMES.fullmatch(name):
            self._refuse(
                f"accounts.{name}",
                "is no name for an account: small letters, digits and _, 40 at most",
            )
        for section, table in (("defaults", defaults), (f"accounts.{name}", row)):
            if "api_key" in table:
                self._refuse(
                    f"{section}.api_key",
                    f"does not belong here: say where the key is kept, by {', '.join(KEPT_IN)}",
                )
            own = Account.model_fields.keys() - {"name", "service"}
            self._know(section, table, {*own, *OF_A_SERVICE})
        if not row.keys().isdisjoint(KEPT_IN):
            defaults = {key: value for key, value in defaults.items() if key not in KEPT_IN}
        both = {**defaults, **row}
        service = {
            key: _text(value).replace(NAME, name)
            for key, value in both.items()
            if key in OF_A_SERVICE
        }
        if "base_url" not in service:
            self._refuse(f"accounts.{name}.base_url", "is missing: say where its service is")
        settings = {key: service[key] for key in service.keys() & ApiSettings.model_fields.keys()}
        self._made(ApiSettings, f"accounts.{name}", {**_UNTOLD, **settings}, row)
        rest = {key: value for key, value in both.items() if key not in OF_A_SERVICE}
        rest["build"] = self._build("defaults", defaults) | self._build(f"accounts.{name}", row)
        values = {**rest, "name": name, "service": service}
        return self._made(Account, f"accounts.{name}", values, row)

    def _build(self, section: str, table: dict[str, Any]) -> dict[str, str]:
        """Settings as environment variables, in which a list is JSON."""
        found = self._table(table, "build", f"{section}.")
        self._know(f"{section}.build", found, ModelSettings.model_fields)
        self._made(ModelSettings, f"{section}.build", found)
        return {
            key: json.dumps(value) if isinstance(value, list) else _text(value)
            for key, value in found.items()
        }

    def _made(
        self, model: type[M], section: str, values: dict[str, Any], own: Collection[str] = ()
    ) -> M:
        """With `own`, what is not among these comes from the defaults."""
        try:
            return model.model_validate(values)
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
        rule = fault["msg"].removeprefix("Value error, ").replace("Input should", "should", 1)
        setting = str(fault["loc"][0])
        if own and setting not in own:
            section = "defaults"
        self._refuse(".".join(filter(None, (section, setting))), rule)

    def _table(self, table: dict[str, Any], name: str, section: str = "") -> dict[str, Any]:
        found = table.get(name, {})
        if not isinstance(found, dict):
            self._refuse(f"{section}{name}", f"should be a table, [{section}{name}]")
        return found

    def _know(self, section: str, given: Collection[str], names: Collection[str]) -> None:
        for name in given:
            if name not in names:
                setting = f"{section}.{name}" if section else name
                where = f"{setting} ({self._path})"
                takes = f"[{section}]" if section else str(self._path)
                message = unknown_setting(takes, where, name, sorted(names))
                raise ConfigurationError(one_line(message, None))

    def _refuse(self, setting: str, rule: str) -> NoReturn:
        raise ConfigurationError(f"setting {one_line(setting)} ({self._path}) {rule}")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _variable(setting: str) -> str:
    return setting.replace(".", "__").upper()
