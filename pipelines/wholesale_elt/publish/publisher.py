"""Publisher: makes a version of the last build, and puts it where BI tools read it."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from wholesale.errors import ConfigurationError
from wholesale_elt.causes import remove_left
from wholesale_elt.dashboard import read_settings, write_dashboard
from wholesale_elt.models import without_own
from wholesale_elt.process import budget, hold, plugins, private
from wholesale_elt.publish.comparison import Compared, compare, read_comparisons
from wholesale_elt.publish.description import describe_database
from wholesale_elt.publish.in_force import VersionInForce
from wholesale_elt.publish.manifest import (
    DASHBOARD,
    DATABASE,
    MANIFEST,
    Build,
    Facts,
    Manifest,
    Pruned,
)
from wholesale_elt.publish.pins import unpin_versions
from wholesale_elt.publish.places import note_place
from wholesale_elt.publish.privacy import allowed
from wholesale_elt.publish.store import VersionStore, folder_at, store_for
from wholesale_elt.publish.tables import (
    Observe,
    are_there,
    pin_stored,
    read_sources,
    release_stored,
    stored_in,
    write_tables,
)
from wholesale_elt.publish.version import (
    BI,
    PUBLISHED,
    describe,
    made_with,
    opened,
    part_of,
    plain_part,
    read_build,
    read_digests,
    read_mistake,
    read_personal,
    read_releases,
    read_services,
    software,
    there,
    with_dashboard,
)
from wholesale_elt.runs import refuse_newer
from wholesale_elt.warehouse import Warehouse

WHOLE = "the whole account"
Result = Literal["published", "already published", "withheld"]
Addition = Callable[[Path, Build, str], Iterable[Path]]
"""Writes files into a draft, of that build by that release, and gives those that are to have a
fixed name at the top of the published folder: the path that they have in the version."""


def _ignore(number: int, of: int, name: str) -> None:
    """Observe nothing."""


@dataclass(frozen=True, slots=True)
class Published:
    """The result: whether the build in the warehouse is in force now, was before, or is not.

    `in_force` is None if nothing was ever published there.
    """

    place: str
    result: Result
    build: Build
    in_force: Manifest | None
    pruned: Pruned
    left_out: Sequence[str] = ()
    """Columns left out, as they can identify a person and privacy.published does not name them."""
    unpinned: Sequence[str] = ()
    """Versions that were pinned, and are not any more."""


def publish_marts(
    warehouse: Warehouse,
    place: str,
    observe: Observe = _ignore,
    *,
    keep: int | None = None,
    is_only_bi: bool = False,
    is_even_if_incomplete: bool = False,
    only: str | None = None,
    facts: Facts | None = None,
) -> Published:
    """Publish the last build into a folder, a bucket if `place` is a URI, or a catalogue.

    A build that is not `complete` is published only if that is asked for; the verdict is that of
    the build, not of a later sync. A build is published once. All but the `keep` newest versions
    are removed, unless somebody reads them; None keeps all. Columns that can identify a person are
    left out unless the setting privacy.published names them; then only this user can read the files
    of the version. If a part is named, such as `vendor=ID`, it is built of the same data, and
    `only` that is published: in a place of its own. Large tables that an engine built stay in the
    lake, where a folder can name their files, or are copied: None does the first wherever it can.

    Raises: ConfigurationError for an unusable place, a warehouse of a newer version, or an unknown
    part, or facts that cannot stay; NotLoaded, NotBuilt; BuildFailed for a part; AlreadyRunning;
    what DuckDB and the system raise.
    """
    warehouse.require()
    remove_left(warehouse)
    store, only = store_for(place), plain_part(only) if only else None
    with hold(warehouse.state_folder / "publish", "publishing this warehouse"), store.locked():
        schemas = BI if is_only_bi else PUBLISHED
        result, build, left_out = _publish(
            *(store, place, warehouse, only, schemas, observe, facts),
            is_even_if_incomplete=is_even_if_incomplete,
        )
        note_place(warehouse, place)
        pruned = store.prune(keep) if keep else Pruned((), ())
        release_stored(warehouse, place, store)
        return Published(place, result, build, store.current(), pruned, left_out)


def require_place(place: str) -> None:
    """Raises: ConfigurationError for a place into which nothing can be published, and as
    `read_additions` and `read_comparisons` do; BucketFailed; CatalogUnreachable."""
    store = store_for(place)
    read_additions()
    read_comparisons()
    if (path := folder_at(place)) is None:
        store.has_versions()
        return
    there = next(p for p in (path.absolute(), *path.absolute().parents) if p.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        why = "may not be written" if there.is_dir() else "is no folder"
        raise ConfigurationError(f"nothing can be published in {place}: {there} {why}")


def is_published(place: str) -> bool:
    """Whether there is any version; looking creates nothing.

    Raises: ConfigurationError for an unusable place, or where a newer version published;
    AlreadyRunning; BucketFailed; CatalogUnreachable.
    """
    if not store_for(place).has_versions():
        return False
    store = store_for(place)
    with store.locked():
        return store.source() is not None


def republish_marts(warehouse: Warehouse, place: str) -> Published:
    """Publish the last build, or the same part of it, without taking anything over, whatever its
    verdict, and remove all other versions, pinned ones too.

    A version that somebody reads stays, and is returned.

    Raises: as `publish_marts`.
    """
    remove_left(warehouse)
    store = store_for(place)
    with hold(warehouse.state_folder / "publish", "publishing this warehouse"), store.locked():
        in_force = store.current()
        published = {table.schema for table in in_force.tables} if in_force else set()
        schemas = BI if published and published <= {*BI} else PUBLISHED
        only = in_force.only if in_force else None
        facts: Facts | None = "copied" if in_force and in_force.facts == "copied" else None
        result, build, left_out = _publish(
            *(store, place, warehouse, only, schemas, _ignore, facts),
            is_even_if_incomplete=True,
            is_afresh=True,
        )
        folder = folder_at(place)
        unpinned = unpin_versions(folder) if folder else ()
        pruned = store.prune(1)
        release_stored(warehouse, place, store)
        return Published(place, result, build, store.current(), pruned, left_out, unpinned)


def _publish(
    store: VersionStore,
    place: str,
    whole: Warehouse,
    only: str | None,
    schemas: Collection[str],
    observe: Observe,
    facts: Facts | None,
    *,
    is_even_if_incomplete: bool,
    is_afresh: bool = False,
) -> tuple[Result, Build, Sequence[str]]:
    """The result, the build, and the columns left out.

    With `is_afresh` nothing of the version in force is taken over, as it may contain data that must
    go.
    """
    additions, comparisons = (read_additions() if store.has_files else {}), read_comparisons()
    if store.has_files:
        read_settings()  # what cannot be right is told before anything is read
    with ExitStack() as privately, part_of(whole, only) as warehouse, store.draft() as draft:
        with warehouse.hold(is_read_only=True), opened(warehouse, draft, schemas) as connection:
            refuse_newer(read_releases(connection), warehouse)
            build = read_build(connection, warehouse, only)
            privately.enter_context(without_own(read_mistake(connection)))
            schemas = there(connection, schemas)
            personal = read_personal(connection, schemas)
            published = allowed(personal)
            left_out = [name for name in personal if name not in published]
            if not (build.is_complete or is_even_if_incomplete):
                return "withheld", build, left_out
            privately.enter_context(private(bool(published)))
            _refuse_another_source(store, read_services(connection, only), whole, only)
            last = None if is_afresh else store.current()
            by = made_with()
            stored = stored_in(warehouse, schemas, place, facts)
            facts = "in-lake" if stored else "copied"
            is_same = last and last.is_of(build, set(schemas), additions, published, by, facts)
            if last and is_same and store.is_whole(last) and are_there(last):
                store.repair(last)
                return "already published", build, left_out
            pin_stored(warehouse, place, stored)
            if stored:  # rows pass through in streams, and the limit is not to grow with them
                budget.hold_back(connection)
            sources = read_sources(connection, schemas, left_out, stored)
            is_made_alike = last and last.is_made_alike(published, by, facts)
            in_force = VersionInForce(store, draft, last if is_made_alike else None, sources)
            written = write_tables(connection, draft, sources, in_force, observe)
            told = Compared(
                *(connection, warehouse, store, draft, last),
                *(in_force, sources, build, published, comparisons),
            )
            new = {*written, *compare(told)}
            known = {**in_force.digests, **read_digests(connection, build)}
            digests = describe_database(
                *(connection, sources, told.tables, new, build, software(), known)
            )
            connection.execute("detach version")
        fixed = {
            name: tuple(add_to(draft, build, software())) for name, add_to in additions.items()
        }
        now = datetime.now(UTC)
        manifest = describe(draft, build, published, now, sources, fixed, digests, facts)
        _activate(store, draft, manifest, in_force)
        return "published", build, left_out


def _activate(
    store: VersionStore, draft: Path, manifest: Manifest, in_force: VersionInForce
) -> None:
    """Add to the tables in `draft` all that is made from them, and put the version in force."""
    if store.has_files:
        write_dashboard(draft / DATABASE, draft / DASHBOARD, manifest.as_dict(), in_force.take_data)
        manifest = with_dashboard(draft, manifest)
    in_force.link_same(manifest.files)
    (draft / MANIFEST).write_text(manifest.as_json(), "utf-8")
    store.activate(draft, manifest)


def _refuse_another_source(
    store: VersionStore, sources: Collection[str], warehouse: Warehouse, only: str | None
) -> None:
    if store.source() in (None, *sources):
        return
    there = store.current()
    if there and there.only != only:
        raise ConfigurationError(
            f"what is published there is of {there.only or WHOLE}, and this is of {only or WHOLE}:"
            " name another place"
        )
    raise ConfigurationError(
        f"what is published there came from another service than what is in {warehouse.name}:"
        " name another place"
    )


def read_additions() -> Mapping[str, Addition]:
    """All that plug-ins add to each version besides tables and dashboard: an entry point of the
    group `wholesale.drafts` takes nothing, and gives what its settings want, by name.

    Raises: ConfigurationError for a setting that cannot be right, and for one that wants what is
    not installed.
    """
    wanted: dict[str, Addition] = {}
    for plugin in plugins("drafts"):
        wanted |= plugin()
    return dict(sorted(wanted.items()))
