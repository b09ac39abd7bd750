"""A running sandbox and a warehouse for each test, and a made-up business built once for all."""

import fcntl
import gc
import logging
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from dlt.common.configuration.container import Container
from dlt.common.pipeline import PipelineContext
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from support.warehouses.marts import Marts
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MakeOnce = Callable[[str, Callable[[Path], None]], Path]

CORE = ("wholesale", "wholesale_elt", "wholesale_sandbox")
TESTS = Path(__file__).parent
PLUGINS = {path for path in TESTS.glob("wholesale*") if path.name not in CORE}
"""Folders with the tests of a package that is optional."""

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


OF_CASES = "worksteal"
"""How cases of one module are spread over workers."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Two workers a core for the whole suite, none for tests that are named, and one a core for
    hundreds of cases of one test (`--dist worksteal`).

    Many tests wait, for a service that is slow on purpose or a process that starts. A worker takes
    seconds to start, and a debugger cannot reach into it.
    """
    if config.option.dist == OF_CASES:
        return os.cpu_count() or 1
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return 2 * (os.cpu_count() or 1) if is_whole else 0


gc.disable()  # while tests are collected, all of which stay


def pytest_collection_finish() -> None:
    """Look through what was collected and imported never again."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    """Find what was never closed, in one look through all objects: pytest and the interpreter take
    three more, a second each, which now have nothing to look at."""
    gc.collect()
    gc.freeze()


OF_ANOTHER_LINE = re.compile(
    r"^pytestmark = (?:\[\s*)?pytest\.mark\.(?:slow|long|browser)\b", re.MULTILINE
)


def pytest_configure(config: pytest.Config) -> None:
    """The tests of every day are those of the core: what plugs in has a line of its own.

    A module that is slow as a whole is not even imported: that would take each worker seconds.
    What all workers and commands import is compiled once, wherever Python is told not to keep it.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    is_of_every_day = config.option.markexpr in config.getini("addopts")
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and is_of_every_day:
        modules = TESTS.rglob("test_*.py")
        apart = (path for path in modules if OF_ANOTHER_LINE.search(path.read_text("utf-8")))
        config.option.ignore = [*(config.option.ignore or ()), *map(str, (*PLUGINS, *apart))]


OF_PURE_ROOMS = ("tests/wholesale/", "tests/wholesale_elt/process/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What the pure rooms' own tests do not reach is not covered, whatever the others pass by."""
    for item in items:
        if not item.nodeid.startswith(OF_PURE_ROOMS):
            item.add_marker("no_cover")
        if not PLUGINS.isdisjoint(item.path.parents):
            item.add_marker("plugin")


RUN_DBT = tuple(
    f"tests/sql/test_{name}.py"
    for name in ("dbt", "lineage", "project", "quotients", "spellings", "unit")
)
"""Tests for which dbt is imported and parses the project: it takes seconds, and is done once."""


class ModulesAndDbt(LoadScopeScheduling):  # type: ignore[misc]  # of no known type
    """A worker runs a module; the same one runs all that need dbt."""

    def _split_scope(self, nodeid: str) -> str:
        return "dbt" if nodeid.startswith(RUN_DBT) else str(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    return None if config.option.dist == OF_CASES else ModulesAndDbt(config, log)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """One for all tests of a worker: Playwright takes no second one in a process."""
    from support.warehouses.browsing import launched

    with launched() as browser:
        yield browser


@pytest.fixture(scope="session", autouse=True)
def _written_is_enough() -> Iterator[None]:
    """No test loses power: files need not be on the disk, which takes milliseconds each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(autouse=True)
def _log_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The log belongs to the process, and a command that a test runs sets it up for good."""
    monkeypatch.delenv("RUNTIME__LOG_LEVEL", raising=False)
    monkeypatch.setattr(logging, "lastResort", logging.lastResort)
    loggers = [logging.getLogger(name) for name in ("dlt", "wholesale")]
    before = [(log, log.handlers, log.level, log.propagate) for log in loggers]
    yield
    os.environ.pop("RUNTIME__LOG_LEVEL", None)
    for log, handlers, level, propagate in before:
        log.handlers, log.propagate = handlers, propagate
        log.setLevel(level)


@pytest.fixture(autouse=True)
def _no_pipeline_goes_on() -> Iterator[None]:
    """The pipeline that dlt knows as the last belongs to the process, and its file to one test."""
    yield
    Container()[PipelineContext].deactivate()


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as running:
        yield running


@dataclass
class Loader:
    """Loads from one service into one DuckDB file, and answers SQL on it."""

    settings: ApiSettings
    warehouse: Warehouse

    def load(self, *resources: str) -> Outcome:
        return sync_resources(self.settings, self.warehouse, resources or tuple(RESOURCE))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self._reading() as ask:
            return ask(sql)

    def execute(self, sql: str) -> None:
        """Change the file by hand."""
        with duckdb.connect(str(self.warehouse.database)) as connection:
            connection.execute(f"set timezone = 'UTC'; set schema = 'wholesale_raw'; {sql}")

    def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table of ours but those that tell of each run, in a fixed order.

        Of what syncs noted, what and not when.
        """
        columns = "columns(lambda name: name not in ('observed_at', 'valid_from', 'valid_to'))"
        with self._reading() as ask:
            tables = ask(
                "select table_name from duckdb_tables() where schema_name = 'wholesale_raw'"
                " and table_name not like '\\_%' escape '\\'"
                " and table_name not in ('sync_runs', 'sync_service', 'sync_versions')"
            )
            return {
                table: ask(f"select {columns} from {table} order by all") for (table,) in tables
            }

    @contextmanager
    def _reading(self) -> Iterator[Callable[[str], list[tuple[Any, ...]]]]:
        """One connection for many questions: to open twenty costs as much as a load."""
        with duckdb.connect(str(self.warehouse.database), read_only=True) as connection:
            connection.execute("set timezone = 'UTC'; set schema = 'wholesale_raw'")
            yield lambda sql: connection.execute(sql).fetchall()


@pytest.fixture
def loader(sandbox: Sandbox, tmp_path: Path) -> Loader:
    settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox", page_size=3, attempts=2)
    return Loader(settings, Warehouse(tmp_path / "test.duckdb"))


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MakeOnce:
    """A folder that one worker fills for all; the others wait for it, and nobody changes it."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def taken(name: str, fill: Callable[[Path], None]) -> Path:
        made = shared / f"once-{name}"
        with open(made.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                folder = tmp_path_factory.mktemp(name)
                fill(folder)
                folder.rename(made)
        return made

    return taken


@pytest.fixture(scope="session")
def loaded(made_once: MakeOnce, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """Raw tables of 400 orders in two years, as a sync left them."""

    def load(folder: Path) -> None:
        warehouse = Warehouse(folder / "wholesale.duckdb")
        with Sandbox(SandboxSettings(orders=400)) as running:
            settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
            assert sync_resources(settings, warehouse, tuple(RESOURCE)).is_complete

    made = Marts(made_once("loaded", load) / "wholesale.duckdb")
    return made.copy(tmp_path_factory.mktemp("loaded"))


@pytest.fixture(scope="session")
def built(loaded: Marts, made_once: MakeOnce, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """The same with all models built; only for tests that change nothing."""

    def build(folder: Path) -> None:
        assert loaded.copy(folder).build().warnings == []

    made = Marts(made_once("built", build) / "wholesale.duckdb")
    return made.copy(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="session")
def untold(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """All models built, where of some buyers no order has an amount, and of some items no line."""
    marts = loaded.copy(tmp_path_factory.mktemp("untold"))
    some = "(select quantile_disc({0}, 0.4) from wholesale_raw.orders{1})"
    buyers, items = some.format("buyer_id", ""), some.format("item_id", "__order_line_items")
    marts.change(
        f"update wholesale_raw.orders set sub_total = null, total = null where buyer_id < {buyers}",
        "update wholesale_raw.orders set transaction_fee = null where order_number like '%1'",
        "update wholesale_raw.orders__order_line_items set total_price = null, quantity = null"
        f" where item_id < {items}",
    )
    marts.build()
    return marts


@pytest.fixture(scope="session")
def published(built: Marts, made_once: MakeOnce) -> Path:
    """The folder into which it was published once; only for tests that change nothing."""

    def publish(folder: Path) -> None:
        done = publish_marts(built.warehouse, str(folder / "published"))
        assert done.result == "published"

    return made_once("published", publish) / "published"


@pytest.fixture
def marts(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Marts]:
    """A copy of the built warehouse that the test may change."""
    folder = tmp_path_factory.mktemp("workbench")
    yield built.copy(folder)
    shutil.rmtree(folder)
