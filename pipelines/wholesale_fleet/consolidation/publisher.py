"""Publisher: makes a version of the fleet from those of its accounts, and puts it in force.

Files of accounts are linked, so a fleet takes no space of its own and reads no rows. Only if an
account publishes columns that can identify a person, files are written without them.
"""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.process import budget
from wholesale_elt.publish import (
    DASHBOARD,
    ENTRY,
    MANIFEST,
    File,
    Folder,
    PublishedTable,
    attach_new,
    describe_file,
    describe_site,
    iso_time,
    link,
    name_of_version,
    software,
)
from wholesale_elt.warehouse import attach_file, quoted
from wholesale_fleet.consolidation.manifest import (
    DATABASE,
    AccountFile,
    AccountVersion,
    FleetManifest,
)
from wholesale_fleet.consolidation.member import (
    AccountFolder,
    Columns,
    Member,
    read_columns,
    read_member,
    refusals_of,
)
from wholesale_fleet.consolidation.page import write_fleet_page
from wholesale_fleet.consolidation.reports import known_columns, write_reports
from wholesale_fleet.consolidation.summary import Consolidation

Connection = duckdb.DuckDBPyConnection


def consolidate(places: Sequence[AccountFolder], folder: Path, *, keep: int) -> Consolidation:
    """Publish the versions of these accounts together, into `folder`. An account that is not among
    them is not in the next version.

    It is put in force atomically. All but the `keep` newest versions are removed; all but this one,
    if an account has removed all of its own but one, as `wholesale erase` does.

    Raises: ConfigurationError for a folder with other things in it; AlreadyRunning; WholesaleError
    if an account's version is removed meanwhile; what DuckDB and the system raise.
    """
    store = Folder(folder, FleetManifest.of, DATABASE)
    with store.locked():
        before = store.current()
        members = [read_member(place) for place in sorted(places, key=lambda at: at.account_id)]
        last = before if before and _is_to_go_on(folder, before) else None
        with store.draft() as draft, budget.open_within(spill=draft) as connection:
            connection.execute("set timezone = 'UTC'")
            in_force = _write_version(connection, folder, draft, members, last)
            if in_force is last:
                store.repair(in_force)
            else:
                store.activate(draft, in_force)
        pruned = store.prune(1 if before and _has_forgotten(before, members) else keep)
    return Consolidation.of(str(folder), before, in_force, pruned)


def _write_version(
    connection: Connection,
    folder: Path,
    draft: Path,
    members: Sequence[Member],
    last: FleetManifest | None,
) -> FleetManifest:
    """Write the next version into `draft`, and return its manifest; `last` if nothing changed."""
    in_last = last.versions if last else {}
    same = {
        member.account_id
        for member in members
        if member.published and in_last.get(member.account_id) == member.version
    }
    if last:
        attach_file(connection, folder / last.database.path, "last")
    columns = _columns(connection, members, same)
    refusals = refusals_of(columns)
    accounts = [member.entry(refusals[member.account_id]) for member in members]
    if last and list(last.accounts) == accounts:
        return last
    counted = {member: columns[member] for member in members if not refusals[member.account_id]}
    same &= {member.account_id for member in counted}
    now = datetime.now(UTC)
    version = _version_of(now, accounts)
    parts = []
    for member in counted:
        if last and member.account_id in same:
            kept = last.of_account(member.account_id)
            parts += [_keep(folder, draft, version, part) for part in kept]
        else:
            taken = member.tables.values()
            parts += [_take(connection, draft, version, member, table) for table in taken]
    rows = sum(
        part.rows for part in parts if part.schema == "wholesale_bi"
    )  # those of marts are linked
    attach_new(connection, draft / DATABASE, "fleet", rows)
    write_reports(connection, accounts, counted, same, version)
    connection.execute("detach fleet")
    return _described(draft, version, now, accounts, parts)


def _columns(
    connection: Connection, members: Sequence[Member], same: Set[str]
) -> Mapping[Member, Columns]:
    """The columns of each account, as the attached `last` has them of those that are the `same`."""
    known = known_columns(connection) if same else {}
    return {
        member: known[member.account_id]
        if member.account_id in same
        else read_columns(connection, member)
        for member in members
    }


def _version_of(at: datetime, accounts: Sequence[AccountVersion]) -> str:
    """The name of the version at that moment (UTC) with these versions of accounts."""
    content = json.dumps([asdict(entry) for entry in accounts])
    return name_of_version(at, sha256(content.encode()).hexdigest())


def _take(
    connection: Connection, draft: Path, version: str, member: Member, table: PublishedTable
) -> AccountFile:
    """Take over a file of an account, without columns that can identify a person."""
    source = member.path(table)
    within = _place(table.schema, table.table, member.account_id)
    path = draft / within
    path.parent.mkdir(parents=True)
    file, digest = table.file, table.digest
    if personal := member.personal_in(table):
        columns = f"* exclude ({', '.join(personal)})"
        connection.execute(
            f"copy (select {columns} from read_parquet({quoted(source)},"
            f" hive_partitioning => false)) to {quoted(path)} (format parquet, compression zstd)"
        )
        file, digest = describe_file(draft, path), ""
    else:
        try:
            link(source, path)
        except FileNotFoundError:
            raise WholesaleError(
                f"{source} went while it was taken: {member.account_id} was published anew; publish"
                " the fleet again"
            ) from None
    return AccountFile(
        account_id=member.account_id,
        schema=table.schema,
        table=table.table,
        rows=table.rows,
        path=f"versions/{version}/{within}",
        bytes=file.bytes,
        sha256=file.sha256,
        digest=digest,
    )


def _keep(folder: Path, draft: Path, version: str, part: AccountFile) -> AccountFile:
    """Take over the file of an account that has not published since."""
    within = _place(part.schema, part.table, part.account_id)
    (draft / within).parent.mkdir(parents=True)
    link(folder / part.path, draft / within)
    return replace(part, path=f"versions/{version}/{within}")


def _place(schema: str, table: str, account_id: str) -> str:
    return f"parquet/{schema}/{table}/account_id={account_id}/{table}.parquet"


def _described(
    draft: Path,
    version: str,
    now: datetime,
    accounts: Sequence[AccountVersion],
    parts: Sequence[AccountFile],
) -> FleetManifest:
    """Write the manifest of the `draft`, and its page."""
    database = describe_file(draft, draft / DATABASE)
    moments = [entry.as_of for entry in accounts if entry.is_counted]
    reasons = [
        f"{entry.account_id}: {entry.reason or entry.verdict}"
        for entry in accounts
        if not entry.is_complete
    ]
    manifest = FleetManifest(
        version=version,
        published_at=iso_time(now, "milliseconds"),
        software=software(),
        verdict="incomplete" if reasons else "complete",
        as_of=None if None in moments else min(filter(None, moments), default=None),
        reasons=reasons,
        accounts=accounts,
        database=File(f"versions/{version}/{DATABASE}", database.bytes, database.sha256),
        parts=parts,
        personal=(),
        dashboard=f"{DASHBOARD}/{version}/{ENTRY}",
        dashboard_files=(),
    )
    write_fleet_page(draft / DATABASE, draft / DASHBOARD, manifest.as_dict())
    manifest = replace(manifest, dashboard_files=describe_site(draft, version))
    (draft / MANIFEST).write_text(manifest.as_json(), "utf-8")
    return manifest


def _is_to_go_on(folder: Path, manifest: FleetManifest) -> bool:
    """Whether this software made that version, and all its files exist.

    Files of accounts are compared by size: hashing them would mean to read all data.
    """
    own = (manifest.database, *manifest.dashboard_files)
    return (
        manifest.software == software()
        and all(_size(folder / file.path) == file.bytes for file in manifest.files)
        and all(describe_file(folder, folder / file.path) == file for file in own)
    )


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.exists() else None


def _has_forgotten(before: FleetManifest, members: Sequence[Member]) -> bool:
    """Whether an account removed the version in the fleet, and all its others but one."""
    return any(
        before.versions.get(member.account_id, member.version) != member.version and member.is_alone
        for member in members
    )
