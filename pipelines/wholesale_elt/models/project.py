"""dbt project: where `sql/` is, its variables, and how dbt runs within this process."""

import json
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb

from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_elt.models.settings import read_settings
from wholesale_elt.process import causes, environment, import_extra, is_full_disk
from wholesale_elt.warehouse import Warehouse

FIRST_WITHOUT_DBT = (3, 14)
"""The first Python on which the extra `all` installs no dbt: dbt 1.11 does not run there."""
PARTS = ("analyses", "macros", "models", "tests")
"""The folders of the project; dbt creates others beside them."""
WITHOUT_NETWORK = ("--no-send-anonymous-usage-stats", "--no-version-check")


class NotCompiled(WholesaleError):
    """dbt could not compile the project."""


@dataclass(frozen=True, slots=True)
class DbtRun:
    """The result of a dbt command, in dbt's terms, and the folder of its artifacts."""

    result: Any
    target: Path

    @property
    def results(self) -> Sequence[Any]:
        """One for each node that ran."""
        return self.result.results if self.result else ()


def project_folder() -> Path:
    """The project: beside this module when installed, at the top of a working copy otherwise."""
    installed = Path(__file__).parents[1] / "sql"
    return installed if installed.exists() else Path(__file__).parents[3] / "sql"


def target_folder(warehouse: Warehouse, command: str) -> Path:
    """The folder of a dbt command's artifacts and parsed project, which `compile` and `build`
    share."""
    return warehouse.state_folder / "dbt" / ("build" if command == "compile" else command)


def run_dbt(
    warehouse: Warehouse,
    command: str,
    *options: str,
    variables: Mapping[str, object] | None = None,
    observe: Callable[[Any], None] = lambda event: None,
    profile: Mapping[str, str] | None = None,
) -> DbtRun:
    """Run a dbt command on this warehouse; `observe` is called with each of dbt's events, and
    `profile` overrides the connection. Failed nodes are in the results.

    Raises: ConfigurationError if dbt is not installed, or a setting cannot be right; NotLoaded;
    WholesaleError if the project could not run at all.
    """
    warehouse.require()
    target = target_folder(warehouse, command)
    values = project_variables() | dict(variables or {})
    profile = profile or warehouse.port.dbt_profile()
    with warnings.catch_warnings(), environment(profile):
        warnings.simplefilter("ignore")  # dbt warns about its own code
        runner = _dbt().dbtRunner(callbacks=[observe])
        try:
            outcome = runner.invoke(_arguments(target, values, command, *options))
        finally:
            _let_go(profile)
    if outcome.exception is not None:
        raise _cause(outcome.exception) or WholesaleError(
            f"dbt {command} on {warehouse.name} did not run: {one_line(outcome.exception)}"
        )
    return DbtRun(outcome.result, target)


def compile_project(warehouse: Warehouse) -> bytes:
    """The manifest of the project with its compiled SQL, made in another process, whose memory is
    freed.

    Raises: NotCompiled for any reason, which `dbt build` will report; NotLoaded.
    """
    warehouse.require()
    target = target_folder(warehouse, "compile")
    with environment(warehouse.port.dbt_profile()):
        done = subprocess.run(
            [
                *(sys.executable, "-c", "from dbt.cli.main import cli; cli()"),
                *_arguments(target, project_variables(), "compile"),
            ],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    if done.returncode:
        raise NotCompiled(f"dbt compile on {warehouse.name} ended with {done.returncode}")
    return (target / "manifest.json").read_bytes()


def project_variables() -> dict[str, object]:
    """The variables of the project: the settings, and a hash of its files.

    Raises: ConfigurationError if a setting cannot be right.
    """
    return read_settings().variables() | {"sql_version": sql_version()}


def _arguments(
    target: Path, variables: Mapping[str, object], command: str, *options: str
) -> list[str]:
    project = str(project_folder())
    return [
        *("--log-level", "none", "--log-level-file", "warn", *WITHOUT_NETWORK),
        *(command, *options, "--vars", json.dumps(variables)),
        *("--project-dir", project, "--profiles-dir", project),
        *("--target-path", str(target), "--log-path", str(target)),
    ]


def _dbt() -> ModuleType:
    if sys.version_info >= FIRST_WITHOUT_DBT and not find_spec("dbt"):
        raise ConfigurationError(
            "the SQL models need dbt 1.11, which does not run on Python"
            f" {'.'.join(map(str, FIRST_WITHOUT_DBT))} and later: use an older Python"
        )
    return import_extra("dbt.cli.main")


def _cause(error: BaseException | None) -> BaseException | None:
    """What a person can act on: a full disk, or the database's error, as for a right that lacks."""
    for cause in causes(error):
        if isinstance(cause, duckdb.Error) or hasattr(cause, "pgcode") or is_full_disk(cause):
            return cause
    return None


def sql_version() -> str:
    """A hash of the project's files: tables made by other files are not reused."""
    folder, digest = project_folder(), sha256()
    own = (path for part in PARTS for path in folder.glob(f"{part}/**/*"))
    for path in sorted([*folder.glob("*.yml"), *own]):
        if path.suffix in (".sql", ".yml"):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _let_go(profile: Mapping[str, str]) -> None:
    """Close dbt's connections, so that others can open the database."""
    import_extra("dbt.adapters.factory").cleanup_connections()
    if profile["WHOLESALE_TARGET"] == "duckdb":
        adapter = import_extra("dbt.adapters.duckdb.connections")
        adapter.DuckDBConnectionManager.close_all_connections()
