"""Jobs: a sync, a build and a publication, with their progress, summary and output."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from wholesale_elt.cli.added import read_deliveries
from wholesale_elt.cli.options import DEFAULT_KEEP, DEFAULT_PUBLISHED
from wholesale_elt.cli.output import Exit, Failure, Output
from wholesale_elt.process import replace

if TYPE_CHECKING:
    from wholesale.settings import ApiSettings
    from wholesale_elt.load import Outcome
    from wholesale_elt.monitoring import Summary
    from wholesale_elt.publish import Facts
    from wholesale_elt.warehouse import Warehouse


def require_later_phases(place: str) -> None:
    """Check what building and publishing need, before a sync works for an hour.

    Raises: ConfigurationError.
    """
    from wholesale.configuration import read_model
    from wholesale_elt.models import BUILD, ModelSettings
    from wholesale_elt.publish import require_place

    read_model(ModelSettings, BUILD)
    require_place(place)
    read_deliveries()


def sync_warehouse(
    output: Output,
    settings: "ApiSettings",
    warehouse: "Warehouse",
    resources: tuple[str, ...],
    summary: "Summary",
    *,
    is_full: bool = False,
) -> "Outcome":
    """Sync these resources, all if none is named, and print the outcome."""
    from wholesale_elt.cli.output.jobs import print_outcome
    from wholesale_elt.cli.output.progress import sync_progress
    from wholesale_elt.load import chosen_resources, sync_resources
    from wholesale_elt.monitoring import SyncSummary

    chosen = chosen_resources(resources)
    with summary.phase("sync"), sync_progress(output) as observe:
        outcome = sync_resources(settings, warehouse, chosen, observe, is_full=is_full)
        summary.sync = SyncSummary.of(outcome)
    print_outcome(output.details(), outcome, warehouse)
    return outcome


def reread(
    output: Output,
    settings: "ApiSettings",
    warehouse: "Warehouse",
    summary: "Summary",
    resource: str,
    ids: Sequence[str],
    numbers: Sequence[str],
    day: datetime | None,
) -> Failure | None:
    """Read these records again, and print what became of them; `day` begins in the time zone of the
    models."""
    from wholesale.configuration import read_model
    from wholesale_elt.cli.errors import failure_of_reread
    from wholesale_elt.cli.output.jobs import print_reread
    from wholesale_elt.load import Wanted, reread_records
    from wholesale_elt.models import BUILD, ModelSettings
    from wholesale_elt.monitoring import RereadSummary

    zone = ZoneInfo(read_model(ModelSettings, BUILD).time_zone)
    since = day.replace(tzinfo=zone).astimezone(UTC) if day else None
    with summary.phase("sync"):
        read = reread_records(settings, warehouse, Wanted(ids, numbers, since, resource))
        summary.reread = RereadSummary.of(read)
    print_reread(output.details(), read)
    return failure_of_reread(read)


def build_warehouse(
    output: Output, warehouse: "Warehouse", summary: "Summary", *, is_full: bool = False
) -> Failure | None:
    """Build the models, and print the result; a failure if those of users are left out."""
    from wholesale_elt.cli.demo import demo_build_settings
    from wholesale_elt.cli.errors import failure_in_own
    from wholesale_elt.cli.output.jobs import print_built
    from wholesale_elt.cli.output.progress import step_progress
    from wholesale_elt.models import build_models
    from wholesale_elt.monitoring import BuildSummary

    with (
        summary.phase("build"),
        demo_build_settings(warehouse),
        step_progress(output, "models and tests") as show,
    ):
        built = build_models(
            warehouse, lambda step: show(step.number, step.of, step.name), is_full=is_full
        )
        summary.build = BuildSummary.of(built)
    print_built(output.details(), built, warehouse)
    return failure_in_own(built)


def build_as_of(
    output: Output, warehouse: "Warehouse", summary: "Summary", moment: datetime, file: Path
) -> Failure | None:
    """Build the models of what was stored at a moment into a new file, and print the result; a
    failure if those of users are left out."""
    from wholesale_elt.causes import build_as_of as build_then
    from wholesale_elt.cli.demo import demo_build_settings
    from wholesale_elt.cli.errors import failure_in_own
    from wholesale_elt.cli.output.jobs import print_built
    from wholesale_elt.cli.output.progress import step_progress
    from wholesale_elt.models import BuildStep, Built
    from wholesale_elt.monitoring import BuildSummary
    from wholesale_elt.warehouse import Warehouse

    made: list[Built] = []

    def observe(step: BuildStep) -> None:
        show(step.number, step.of, step.name)

    def make(path: Path) -> None:
        made.append(build_then(warehouse, moment, path, observe))

    with (
        summary.phase("build"),
        demo_build_settings(warehouse),
        step_progress(output, "models and tests") as show,
    ):
        replace(file, make)
        summary.build = BuildSummary.of(made[0])
    print_built(output.details(), made[0], Warehouse(file))
    return failure_in_own(made[0])


def publish_warehouse(
    output: Output,
    warehouse: "Warehouse",
    summary: "Summary",
    *,
    place: str = DEFAULT_PUBLISHED,
    keep: int = DEFAULT_KEEP,
    is_only_bi: bool = False,
    is_even_if_incomplete: bool = False,
    only: str | None = None,
    facts: "Facts | None" = None,
) -> Failure | None:
    """Publish and compact the warehouse, and print the results; a failure if it is incomplete."""
    from wholesale_elt.cli.errors import failure_of
    from wholesale_elt.cli.output.jobs import print_compacted, print_published, withheld
    from wholesale_elt.cli.output.progress import step_progress
    from wholesale_elt.load import forget_past
    from wholesale_elt.monitoring import PublishSummary
    from wholesale_elt.publish import publish_marts
    from wholesale_elt.warehouse import compact

    warehouse.require()
    if not output.is_brief:
        output.progress(f"publishing in {place}")
    with summary.phase("publish"), step_progress(output, "files of the version") as show:
        published = publish_marts(
            warehouse,
            place,
            show,
            keep=keep,
            is_only_bi=is_only_bi,
            is_even_if_incomplete=is_even_if_incomplete,
            only=only,
            facts=facts,
        )
        summary.publish = PublishSummary.of(published)
    print_published(output.details(), published)
    try:
        forget_past(warehouse)
        compacted = compact(warehouse)
        print_compacted(output.details(), compacted, warehouse)
    except Exception as error:  # the publication is in force all the same
        reason = failure_of(error, warehouse).message
        output.error(f"{warehouse.name} was not compacted: {reason}")
    if published.build.is_complete:
        return None
    reasons = f"what was published is not certified complete: {'; '.join(published.build.reasons)}"
    is_withheld = published.result == "withheld"
    return Failure(withheld(published) if is_withheld else reasons, Exit.INCOMPLETE)


def deliver(output: Output, warehouse: "Warehouse", place: str) -> Failure | None:
    """Deliver what is published, as plug-ins are set to; the first failure, if there is one."""
    failures = [work(output, warehouse, place) for work in read_deliveries().values()]
    return next(filter(None, failures), None)
