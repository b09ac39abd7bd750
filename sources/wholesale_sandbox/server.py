"""Server: the sandbox as a running service, API and admin surface each on its port."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Self

import msgspec

from wholesale.api import PATH_PREFIX
from wholesale_sandbox.business import Live
from wholesale_sandbox.contract import RESOURCE
from wholesale_sandbox.faults import DialError, Dials, PlantError, plant, plants_of
from wholesale_sandbox.origin import Origin, SandboxError, origin_of
from wholesale_sandbox.service import Listener, PortInUse, RequestLog, Service, admin, api
from wholesale_sandbox.settings import LOOPBACK, SandboxSettings
from wholesale_sandbox.storage import PARENT_FIELDS, Outbox, Storage, without_parent

__all__ = ["Sandbox", "SandboxError", "serve"]

MOMENT = timedelta(milliseconds=10)
"""Between the changes of a day that is played."""
_encode = msgspec.json.Encoder(decimal_format="number").encode


class Sandbox:
    """`with Sandbox(settings) as sandbox:` serves until the block ends.

    `put` and `delete` change records without the API, as the live business does.
    Raises: SandboxError, when the block is entered.
    """

    base_url: str  # ends with /api/external/v1
    admin_url: str
    storage: Storage
    dials: Dials

    def __init__(self, settings: SandboxSettings | None = None) -> None:
        self.settings = settings or SandboxSettings()
        self.requests = RequestLog()
        self._running = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as starting:
            self.dials = _dials(self.settings)
            origin = origin_of(self.settings)
            self.storage = origin.open(self.settings.database)
            starting.callback(self.storage.close)
            self._plant()
            self._world = origin.world
            for at in self.settings.days_at:
                self.play_day(at)
            # The first request must not wait for a million records to be sorted.
            for resource in RESOURCE:
                self.storage.collection(resource).page(0, 1, order=self.dials.order_of(resource))
            service = Service(
                self.storage, self.dials, self.requests, api_key=self.settings.api_key
            )
            admin_app = admin(self.storage, self.dials, self.requests)
            try:
                served = Listener(
                    api(service), self.settings.host, self.settings.port, origin.server
                )
                starting.callback(served.stop)
                governed = Listener(admin_app, LOOPBACK, self.settings.admin_port, origin.server)
                starting.callback(governed.stop)
            except PortInUse as error:
                raise SandboxError(
                    f"{error}; choose another --port or --admin-port, or 0 for any free one"
                ) from None
            starting.callback(served.ask_to_stop)
            self.base_url, self.admin_url = served.url + PATH_PREFIX, governed.url
            served.start()
            governed.start()
            if self.settings.live_per_minute > 0:
                starting.enter_context(_living(origin, self.storage, self.settings))
            self._running = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    @property
    def outbox(self) -> Outbox:
        return self.storage.outbox

    def put(
        self, resource: str, record: Mapping[str, Any] | bytes, parent_id: str | None = None
    ) -> None:
        """Insert or replace. Decimals are written as JSON numbers; bytes are kept literally.

        A child needs its parent once: by `parent_id`, or in its parent field as in a data folder.
        """
        fields = msgspec.json.decode(record) if isinstance(record, bytes) else dict(record)
        collection, record_id = self.storage.collection(resource), fields["id"]
        parent_id = (
            parent_id or fields.get(PARENT_FIELDS.get(resource)) or collection.parent_of(record_id)
        )
        body = record if isinstance(record, bytes) else _encode(without_parent(resource, fields))
        collection.put(record_id, body, parent_id=parent_id)

    def delete(self, resource: str, record_id: str) -> bool:
        """False where there is no such record."""
        return self.storage.collection(resource).delete(record_id)

    def play_day(self, at: datetime) -> None:
        """Let a day of business pass in a moment: some twenty orders arrive, others change.

        The changes are dated from `at` on, so that the same days make the same records again.
        """
        times = (at + number * MOMENT for number in count(1))
        Live(self.storage, self._world, 1, self.settings.seed, now=lambda: next(times)).day()

    def _plant(self) -> None:
        try:
            plant(self.storage, plants_of(self.settings.plants), self.dials.seed)
        except PlantError as error:
            raise SandboxError(str(error)) from None


def serve(settings: SandboxSettings, announce: Callable[[str], None]) -> None:
    """Serves until Ctrl-C or SIGTERM; to be called in the main thread.

    Raises: SandboxError.
    """
    stopped = threading.Event()
    former = {
        number: signal.signal(number, lambda *_: stopped.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        with Sandbox(settings) as sandbox:
            announce(f"API    {sandbox.base_url}")
            announce(f"admin  {sandbox.admin_url}")
            stopped.wait()
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _dials(settings: SandboxSettings) -> Dials:
    try:
        return Dials.of(settings.dials)
    except DialError as error:
        raise SandboxError(str(error)) from None


@contextmanager
def _living(origin: Origin, storage: Storage, settings: SandboxSettings) -> Iterator[None]:
    live = Live(storage, origin.world, settings.live_per_minute, settings.seed)
    live.start()
    try:
        yield
    finally:
        live.stop()
