"""The demo: a made-up business up to yesterday and two days more, and the sandbox that serves it.

A warehouse says in its certificates which business it holds, and when it was read: days are dated
by that, so the same ones can be served again.
"""

import multiprocessing
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, TypeVar

from wholesale.configuration import place_of, read_settings
from wholesale.credentials import KEPT_IN
from wholesale.errors import WholesaleError
from wholesale.settings import SECTION, ApiSettings
from wholesale_elt.cli.output import Output
from wholesale_elt.process import environment

if TYPE_CHECKING:
    from wholesale_elt.warehouse import Warehouse

T = TypeVar("T")

API_KEY = "sandbox"
BUILD = {"currency": "USD", "terms": '{"Prepaid": 0, "50 % deposit": 0}'}
"""Settings of the build: what no record of the sandbox says, and the days of those terms of its
vendors that do not say them."""
SERVICE = re.compile(r"wholesale-sandbox \(seed 1 with (\d+) orders to (\d{4}-\d\d-\d\d)\)")
"""What the sandbox of a demo calls itself."""
DAYS = 3
"""The first is all that was until yesterday; each other one begins when the one before was read."""


@dataclass(frozen=True, slots=True)
class Demo:
    """A made-up business: so many orders in the two years up to a day, and the days after that.

    `read_at` is when each complete sync of the warehouse had read it.
    """

    orders: int
    last_day: date
    read_at: tuple[datetime, ...] = ()

    @property
    def days_at(self) -> tuple[datetime, ...]:
        """When the days began that the warehouse holds besides the first."""
        return self.read_at[: DAYS - 1][: max(0, len(self.read_at) - 1)]

    @property
    def next_at(self) -> datetime | None:
        """When the day began that comes next, if one is to come: no clock but that of the last
        sync, so that it is the same one after this process was killed."""
        return self.read_at[-1] if 0 < len(self.read_at) < DAYS else None

    def __str__(self) -> str:
        return f"{self.orders:,} orders up to {self.last_day}"


def demo_for(warehouse: "Warehouse", orders: int, now: datetime | None = None) -> Demo:
    """The demo with that many orders: the one that the warehouse holds, else one that ends
    yesterday."""
    held = demo_in(warehouse)
    if held and held.orders == orders:
        return held
    return Demo(orders, (now or datetime.now(UTC)).date() - timedelta(days=1))


def demo_in(warehouse: "Warehouse") -> Demo | None:
    """The demo whose data the warehouse holds, if it does."""
    from wholesale_elt.warehouse import CERTIFICATES

    if not warehouse.may_exist:
        return None
    with warehouse.open(is_read_only=True) as raw:
        if "service" not in raw.column_names(CERTIFICATES):
            return None
        rows = raw.rows(
            "select service, max(ended_at), min(verdict) = 'complete'"
            f" from {raw.name(CERTIFICATES)} group by service, run_id order by run_id"
        )
    found = SERVICE.fullmatch(str(rows[0][0])) if rows else None  # all are of one service
    if not found:
        return None
    read_at = tuple(at.astimezone(UTC) for _, at, is_complete in rows if is_complete)
    return Demo(int(found[1]), date.fromisoformat(found[2]), read_at)


@contextmanager
def service_for(output: Output, warehouse: "Warehouse") -> Iterator[ApiSettings]:
    """The settings of the service, for a command that only looks. If neither its address nor a key
    is set and the warehouse holds a demo, they are those of its sandbox, which serves until the
    block ends. What loads data never does so: it would be green with made-up data.

    Raises: ConfigurationError as `read_settings` does.
    """
    demo = None if _is_any_set() else demo_in(warehouse)
    if demo is None:
        yield read_settings()
        return
    output.progress(f"no service is set: the sandbox of the demo answers, {demo}")
    with serve_demo(demo) as served:
        yield served.settings


def is_service_set(warehouse: "Warehouse") -> bool:
    """Whether `service_for` has a service."""
    return bool(place_of(SECTION, "base_url") or (not _is_any_set() and demo_in(warehouse)))


def _is_any_set() -> bool:
    """Whether somebody has begun to name a service of their own."""
    return any(place_of(SECTION, name) for name in ("base_url", "api_key", *KEPT_IN))


def demo_build_settings(warehouse: "Warehouse") -> AbstractContextManager[None]:
    """Until the block ends, a demo is built with the settings that it needs, each of them unless
    somebody set it.

    What an engine builds is no demo; to look at it would copy a whole lake to this machine.
    """
    unset = {name: value for name, value in BUILD.items() if not place_of("build", name)}
    if not unset or place_of("build", "engine") or not demo_in(warehouse):
        return nullcontext()
    return environment({f"BUILD__{name.upper()}": value for name, value in unset.items()})


@dataclass(frozen=True, slots=True)
class Served:
    """The sandbox of a demo while it serves."""

    settings: ApiSettings
    pipe: Connection

    def play_day(self, at: datetime) -> None:
        """Let a day of business pass, which began then."""
        self.pipe.send(at)
        self.pipe.recv()


@contextmanager
def serve_demo(demo: Demo) -> Iterator[Served]:
    """The demo's sandbox, which serves until the block ends what the warehouse holds."""
    with served_by(_serve, demo) as (address, pipe):
        yield Served(ApiSettings.of(base_url=address, api_key=API_KEY), pipe)


@contextmanager
def served_by(serve: Callable[[Connection, T], None], what: T) -> Iterator[tuple[str, Connection]]:
    """Where a sandbox serves that, until the block ends, and a pipe to it. `serve` runs in its own
    process, as two busy threads of one process would wait for each other; it sends its address."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, what), daemon=True)
    process.start()
    theirs.close()
    try:
        yield _address(ours), ours
    finally:
        ours.close()
        process.join()


def _address(pipe: Connection) -> str:
    try:
        return str(pipe.recv())
    except EOFError:
        raise WholesaleError("the sandbox did not start: see the lines above") from None


def _serve(pipe: Connection, demo: Demo) -> None:
    """Serve until the other end of the pipe closes, also when its process is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = import_module("wholesale_sandbox.server")
    settings = import_module("wholesale_sandbox.settings").SandboxSettings(
        orders=demo.orders, last_day=demo.last_day, days_at=demo.days_at, api_key=API_KEY
    )
    with server.Sandbox(settings) as sandbox:
        pipe.send(sandbox.base_url)
        with suppress(EOFError):
            while True:
                sandbox.play_day(pipe.recv())
                pipe.send(True)
