"""Summary: the result of a command, as one document for programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, Protocol, Self, get_args

from pydantic import BaseModel, Field, PrivateAttr

from wholesale_elt.runs import Certificate, SchemaChange, Verdict
from wholesale_elt.warehouse import Warehouse

if TYPE_CHECKING:  # so that a sync need not import what publishes
    from wholesale_elt.load import Outcome, Reread
    from wholesale_elt.models import Built
    from wholesale_elt.publish import Published

Result = Literal["complete", "failed", "misconfigured", "incomplete", "in use"]
RESULT_OF: Mapping[int, Result] = {
    0: "complete",
    1: "failed",
    2: "misconfigured",
    3: "incomplete",
}
"""Results by exit code; `in use` is a harmless failure."""


class UnreadableValues(BaseModel):
    """Values of a field that did not fit their column and are kept in `_extra`."""

    table: str
    field: str
    count: int


class Resent(BaseModel):
    """Requests of a resource that were sent again."""

    retries: int
    throttled: int


class SyncSummary(BaseModel):
    """A sync that ended."""

    run_id: str = Field(description="its id in `sync_runs`")
    verdict: Verdict = Field(description="`complete` if all resources are complete")
    failures: Mapping[str, str] = Field(description="why a resource could not be read, by its name")
    not_due: Sequence[str] = Field(
        description="resources that were not read, as they were read recently"
    )
    resources: Sequence[Certificate] = Field(description="a row of `sync_runs` for each")
    unreadable: Sequence[UnreadableValues] = Field(
        description="`table`, `field`, `count` kept in _extra"
    )
    traffic: Mapping[str, Resent] = Field(
        description="`retries`, and how often the service answered 429 (`throttled`), by resource"
    )
    changes: Sequence[SchemaChange] = Field(description="a row of `sync_changes` for each")
    found_columns: Sequence[str] = Field(description="fields that became columns, `table.column`")
    local_times: Sequence[str] = Field(
        description="columns of times without an offset that no run told of before, `table.column`"
    )

    @classmethod
    def of(cls, outcome: "Outcome") -> Self:
        return cls(
            run_id=outcome.run_id,
            verdict="complete" if outcome.is_complete else "incomplete",
            failures=outcome.failures,
            not_due=outcome.not_due,
            resources=outcome.certificates,
            unreadable=[
                UnreadableValues(table=table, field=field, count=count)
                for (table, field), count in sorted(outcome.misfits.items())
            ],
            traffic={
                name: Resent(retries=traffic.retries, throttled=traffic.throttled)
                for name, traffic in outcome.traffic.items()
            },
            changes=outcome.changes,
            found_columns=outcome.found,
            local_times=outcome.local_times,
        )


class RereadSummary(BaseModel):
    """Records that were read again, without a certificate."""

    resource: str = Field(description="of which resource")
    read: int = Field(description="how many came")
    new: int = Field(description="how many of them were not stored before")
    changed: int = Field(description="how many were stored in another state")
    not_found: Sequence[str] = Field(description="ids that the service answers with 404")
    unread: Mapping[str, str] = Field(description="why a record could not be read, by its id")
    refused: Sequence[str] = Field(description="ids of records that came incomplete")

    @classmethod
    def of(cls, read: "Reread") -> Self:
        return cls(
            resource=read.tally.resource,
            read=read.tally.ids_seen,
            new=read.tally.new,
            changed=read.tally.changed or 0,
            not_found=read.not_found,
            unread=read.doubts.unread,
            refused=read.doubts.refused,
        )


class BuildSummary(BaseModel):
    """A build that was put in force."""

    models: int = Field(description="how many were built")
    tests: int = Field(description="how many passed, including those that warn")
    warnings: Mapping[str, int] = Field(description="how many rows a test warns of, by its name")
    left_out: str | None = Field(
        default=None, description="why nothing is in force of models of your own"
    )

    @classmethod
    def of(cls, built: "Built") -> Self:
        return cls(
            models=built.models,
            tests=built.tests,
            warnings={warning.test: warning.rows for warning in built.warnings},
            left_out=built.left_out or None,
        )


class PublishSummary(BaseModel):
    """A publication, or why there is none."""

    place: str = Field(description="folder or bucket")
    result: str = Field(description="`published`, `already published` or `withheld`")
    version: str | None = Field(description="the version in force; null if there never was one")
    as_of: str | None = Field(description="the moment as of which that version is complete, UTC")
    reasons: Sequence[str] = Field(description="why what was built is not certified complete")
    tables: Mapping[str, int] = Field(
        description="rows of each table of that version, by `schema.table`"
    )
    left_out: Sequence[str] = Field(
        description="columns not published, as they can identify a person, `table.column`"
    )

    @classmethod
    def of(cls, published: "Published") -> Self:
        return cls(
            place=published.place,
            result=published.result,
            version=published.in_force.version if published.in_force else None,
            as_of=published.in_force.as_of if published.in_force else None,
            reasons=published.build.reasons,
            tables={
                f"{table.schema}.{table.table}": table.rows
                for table in (published.in_force.tables if published.in_force else ())
            },
            left_out=published.left_out,
        )


PhaseName = Literal["sync", "build", "publish"]
PHASES: frozenset[str] = frozenset(get_args(PhaseName))


class Phase(BaseModel):
    """A part of a command, also one that failed."""

    name: PhaseName
    started_at: datetime
    ended_at: datetime


class Watcher(Protocol):
    """An observer of a running command, as a `Sink` makes one; its errors do not fail the
    command."""

    def begins(self, phase: PhaseName, at: datetime) -> None: ...

    def ends(self, phase: Phase, summary: "Summary", error: BaseException | None) -> None: ...

    def ended(self, summary: "Summary") -> None: ...


class Summary(BaseModel):
    """What `--json` prints; one object also if a command fails. Times are ISO 8601, UTC."""

    command: str = Field(description="`sync`, `build`, `publish`, `run` or `demo`")
    warehouse: str | None = Field(default=None, description="the warehouse, null if unknown")
    started_at: datetime = Field(
        default_factory=lambda: datetime.now(UTC), description="when it began"
    )
    ended_at: datetime | None = Field(default=None, description="when it ended")
    exit_code: int = Field(default=0, description="as in the table of endings")
    result: Result = Field(
        default="complete",
        description="`complete`, `failed`, `misconfigured`, `incomplete`; `in use` by another run",
    )
    error: str | None = Field(default=None, description="the last line of standard error, if any")
    phases: list[Phase] = Field(
        default_factory=list, description="`name`, `started_at`, `ended_at` of each phase begun"
    )
    sync: SyncSummary | None = Field(
        default=None, description="null if it did not begin, or did not end"
    )
    reread: RereadSummary | None = Field(
        default=None, description="null unless single orders were asked for"
    )
    build: BuildSummary | None = Field(default=None, description="the same")
    publish: PublishSummary | None = Field(default=None, description="the same")

    _watchers: list[Watcher] = PrivateAttr(default_factory=list)

    def for_others(self) -> "Summary":
        """The same as it may be sent to others."""
        if not self.sync:
            return self
        changes = [change.for_others() for change in self.sync.changes]
        return self.model_copy(update={"sync": self.sync.model_copy(update={"changes": changes})})

    def tell(self, watcher: Watcher) -> None:
        """Notify it of what happens from now on."""
        self._watchers.append(watcher)

    @contextmanager
    def phase(self, name: PhaseName) -> Iterator[None]:
        """Record when the block begins and ends."""
        started_at = datetime.now(UTC)
        for watcher in self._watchers:
            watcher.begins(name, started_at)
        failure: BaseException | None = None
        try:
            yield
        except BaseException as error:
            failure = error
            raise
        finally:
            phase = Phase(name=name, started_at=started_at, ended_at=datetime.now(UTC))
            self.phases.append(phase)
            for watcher in self._watchers:
                watcher.ends(phase, self, failure)

    def end(self, exit_code: int, error: str | None, *, is_in_use: bool = False) -> None:
        """Record how the command ended."""
        self.ended_at = datetime.now(UTC)
        self.exit_code, self.error = exit_code, error
        self.result = "in use" if is_in_use else RESULT_OF[exit_code]
        for watcher in self._watchers:
            watcher.ended(self)


Sink = Callable[[Warehouse, Summary], Watcher]
"""What an entry point of the group `wholesale.sinks` is: called when a command begins, if a setting
of `monitoring` begins with its name, as `otlp_endpoint` does with `otlp`.

Raises: ConfigurationError.
"""
