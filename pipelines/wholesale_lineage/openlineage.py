"""OpenLineage: sends events of a command and its phases to a file or a receiver.

They are plain JSON: the standard's client would add settings, environment variables and an HTTP
library of its own. Only the end of a command waits for a receiver, for at most the time of a POST.
"""

import logging
import os
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import msgspec

from wholesale.errors import WholesaleError, one_line
from wholesale_elt.models import BuildFailed, read_lineage
from wholesale_elt.monitoring import (
    PHASES,
    NotTaken,
    Phase,
    PhaseName,
    Summary,
    post,
    read_sink_settings,
)
from wholesale_elt.process import private
from wholesale_elt.warehouse import Warehouse
from wholesale_lineage.datasets import (
    FACETS,
    PRODUCER,
    Dataset,
    DatasetNamespace,
    facet,
    of_build,
    of_checks,
    of_publication,
    of_sync,
)
from wholesale_lineage.settings import OpenLineageSettings

log = logging.getLogger("wholesale.monitoring")

EVENT = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
PARENT = f"{FACETS}/1-2-0/ParentRunFacet.json#/$defs/ParentRunFacet"
ERROR = f"{FACETS}/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet"
JOB_TYPE = f"{FACETS}/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet"
PATH = "/api/v1/lineage"
LOADED = frozenset({0, 3})
"""Exit codes of jobs that were done; their certificates say how complete the data is."""
EventType = Literal["START", "COMPLETE", "FAIL", "ABORT"]


def follow(warehouse: Warehouse, summary: Summary) -> "OpenLineage":
    """The sink `openlineage`."""
    settings = read_sink_settings(OpenLineageSettings, "openlineage")
    return OpenLineage(warehouse, summary, settings)


class OpenLineage:
    """The events of one command: a run of a job for each phase, and their parent if there are
    several."""

    def __init__(
        self, warehouse: Warehouse, summary: Summary, settings: OpenLineageSettings
    ) -> None:
        self._warehouse, self._settings = warehouse, settings
        self._runs: dict[str, str] = {}
        self._failed: EventType = "FAIL"
        self._command = None if summary.command in PHASES else summary.command
        self._receiver = _Receiver(settings) if settings.openlineage_url else None
        with _guarded():
            if self._command:
                self._emit("START", self._command, summary.started_at)

    def begins(self, phase: PhaseName, at: datetime) -> None:
        with _guarded():
            self._emit("START", phase, at)

    def ends(self, phase: Phase, summary: Summary, error: BaseException | None) -> None:
        with _guarded():
            if phase.name == "build":
                self._emit_checks(phase, summary, error)
            if error is None:
                read, written = self._datasets(phase.name, summary)
                self._emit("COMPLETE", phase.name, phase.ended_at, inputs=read, outputs=written)
            else:
                self._failed = "ABORT" if _is_stop(error) else "FAIL"
                self._emit(self._failed, phase.name, phase.ended_at, error=_message(error))

    def ended(self, summary: Summary) -> None:
        with _guarded():
            if self._command:
                kind: EventType = "COMPLETE" if summary.exit_code in LOADED else self._failed
                at = summary.ended_at or summary.started_at
                self._emit(kind, self._command, at, error=summary.error)
            if self._receiver:
                self._receiver.close()

    @property
    def _place(self) -> DatasetNamespace:
        return DatasetNamespace.of_warehouse(self._warehouse.port.address)

    def _datasets(self, phase: PhaseName, summary: Summary) -> tuple[list[Dataset], list[Dataset]]:
        if phase == "sync" and summary.sync:
            return of_sync(self._place, summary.sync)
        if phase == "build":
            return of_build(self._place)
        if phase == "publish" and summary.publish and summary.publish.result != "withheld":
            return of_publication(self._place, summary.publish)
        return [], []

    def _emit_checks(self, phase: Phase, summary: Summary, error: BaseException | None) -> None:
        """A run of dbt's tests; after a failed build only those that failed, if any did."""
        if summary.build and error is None:
            found: Mapping[str, int] = summary.build.warnings
            datasets = of_checks(self._place, found, read_lineage().checks)
        elif isinstance(error, BuildFailed) and error.checks:
            datasets = of_checks(self._place, error.checks, error.checks)
        else:
            return
        self._emit("START", "test", phase.started_at)
        kind: EventType = "FAIL" if error else "COMPLETE"
        message = _message(error) if error else None
        self._emit(kind, "test", phase.ended_at, inputs=datasets, error=message)

    def _emit(
        self,
        kind: EventType,
        name: str,
        at: datetime,
        *,
        inputs: list[Dataset] | None = None,
        outputs: list[Dataset] | None = None,
        error: str | None = None,
    ) -> None:
        facets: dict[str, Any] = {}
        if self._command and name != self._command:
            above = {"runId": self._run(self._command)}
            facets["parent"] = facet(PARENT, run=above, job=self._job(self._command))
        if error:
            facets["errorMessage"] = facet(ERROR, message=error, programmingLanguage="Python")
        job_type = facet(
            JOB_TYPE, processingType="BATCH", integration="WHOLESALE", jobType=name.upper()
        )
        event = {
            "eventType": kind,
            "eventTime": at.isoformat(),
            "run": {"runId": self._run(name), "facets": facets},
            "job": {**self._job(name), "facets": {"jobType": job_type}},
            "inputs": inputs or [],
            "outputs": outputs or [],
            "producer": PRODUCER,
            "schemaURL": EVENT,
        }
        body = msgspec.json.encode(event)
        if self._settings.openlineage_file:
            _append(self._settings.openlineage_file, body)
        if self._receiver:
            self._receiver.send(body)

    def _run(self, name: str) -> str:
        return self._runs.setdefault(name, str(uuid4()))

    def _job(self, name: str) -> dict[str, str]:
        namespace = self._settings.openlineage_namespace or self._warehouse.port.address
        return {"namespace": namespace, "name": f"wholesale.{name}"}


class _Receiver:
    """Posts events one by one in the background, until the receiver does not accept one."""

    def __init__(self, settings: OpenLineageSettings) -> None:
        self._address = f"{settings.openlineage_url}{PATH}"
        self._seconds = settings.webhook_seconds
        key = settings.openlineage_api_key
        self._headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
        self._events: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._sender = threading.Thread(target=self._post, daemon=True)
        self._sender.start()

    def send(self, body: bytes) -> None:
        self._events.put(body)

    def close(self) -> None:
        """Wait for events that are being sent."""
        self._events.put(None)
        self._sender.join(self._seconds)
        if self._sender.is_alive():
            log.warning("the receiver of OpenLineage did not take all events in time")

    def _post(self) -> None:
        while body := self._events.get():
            try:
                post(self._address, body, self._seconds, self._headers)
            except NotTaken as error:
                log.warning("the receiver of OpenLineage did not take an event: %s", error)
                return


def _append(path: Path, body: bytes) -> None:
    """Append each line by one write, so that lines of concurrent commands do not mix."""
    with private():
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(file, body + b"\n")
    finally:
        os.close(file)


def _is_stop(error: BaseException | None) -> bool:
    """Whether somebody stopped the command, maybe in the midst of a query, whose error this is."""
    while isinstance(error, Exception):
        error = error.__cause__ or error.__context__
    return error is not None


def _message(error: BaseException) -> str:
    return one_line(error) if isinstance(error, WholesaleError) else type(error).__name__


@contextmanager
def _guarded() -> Iterator[None]:
    """Turns any error of the block into a warning: it must not fail the command."""
    try:
        yield
    except Exception as error:
        log.warning("an event of OpenLineage could not be sent: %s", type(error).__name__)
