"""Member: the published version of one account, and whether it can be combined with others.

Only that version, which is never written again, is read of an account. Columns are matched by name:
other releases may have more or fewer, and missing ones are NULL. A version is refused if it would
make a sum wrong or a query fail: if it lacks a table, or a column without which a sum would omit
the account, or if a column has another type than in the version published last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb

from wholesale_elt.publish import Manifest, PublishedTable, iso_time, published_in
from wholesale_elt.warehouse import quoted
from wholesale_fleet.consolidation.manifest import EVERY_HOURS, AccountVersion
from wholesale_fleet.consolidation.tables import INCLUDED_TABLES

Columns = Mapping[str, Mapping[str, str]]
"""The types of columns by table, as `schema.table`, and name."""


@dataclass(frozen=True, slots=True)
class AccountFolder:
    """Where an account publishes, and its state by its own certificates: `status` in a word,
    `status_as_of` (UTC), and in `trouble` why its last command failed, if it did."""

    account_id: str
    folder: Path
    status: str
    status_as_of: datetime | None = None
    trouble: str | None = None
    every_hours: float = EVERY_HOURS


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """An account and its version in force, None if it has none that can be read."""

    place: AccountFolder
    published: Manifest | None

    @property
    def account_id(self) -> str:
        return self.place.account_id

    @property
    def version(self) -> str | None:
        return self.published.version if self.published else None

    @property
    def published_at(self) -> str:
        return self.published.published_at if self.published else ""

    @property
    def tables(self) -> Mapping[str, PublishedTable]:
        """The included tables that it has published."""
        found = self.published.tables if self.published else ()
        tables = {f"{table.schema}.{table.table}": table for table in found}
        return {key: tables[key] for key in INCLUDED_TABLES if key in tables and tables[key].path}

    @property
    def in_lake(self) -> Sequence[str]:
        """The included tables of which it has published no file of their own."""
        found = self.published.snapshots if self.published else ()
        return [key for key in INCLUDED_TABLES if key in found]

    @property
    def is_alone(self) -> bool:
        """Whether it has no version but this one."""
        return len(list((self.place.folder / "versions").glob("[!.]*"))) == 1

    def path(self, table: PublishedTable) -> Path:
        return self.place.folder / table.path

    def personal_in(self, table: PublishedTable) -> Sequence[str]:
        """Columns that can identify a person; an account may publish them, a fleet does not."""
        names = self.published.personal if self.published else ()
        start = f"{table.table}."
        return [name.removeprefix(start) for name in names if name.startswith(start)]

    def entry(self, refusal: str | None) -> AccountVersion:
        """Its entry in the fleet's manifest; `refusal` is why its numbers are not in the fleet."""
        published, place = self.published, self.place
        reasons = "; ".join(published.reasons) if published else ""
        moment = place.status_as_of
        return AccountVersion(
            account_id=place.account_id,
            version=self.version,
            verdict=published.verdict if published else None,
            as_of=published.as_of if published else None,
            published_at=self.published_at or None,
            reason=refusal or reasons or None,
            is_counted=refusal is None,
            status=place.status,
            status_as_of=iso_time(moment) if moment else None,
            trouble=place.trouble,
            every_hours=place.every_hours,
        )


def read_member(place: AccountFolder) -> Member:
    return Member(place, published_in(place.folder))


def read_columns(connection: duckdb.DuckDBPyConnection, member: Member) -> Columns:
    """The columns of its files, without those that can identify a person."""
    found = {}
    for key, table in member.tables.items():
        rows = connection.execute(
            f"describe from read_parquet({quoted(member.path(table))}, hive_partitioning => false)"
        ).fetchall()
        personal = member.personal_in(table)
        found[key] = {name: type_ for name, type_, *_ in rows if name not in personal}
    return found


def refusals_of(members: Mapping[Member, Columns]) -> Mapping[str, str | None]:
    """By account, why its numbers are not in the fleet; None if they are.

    The version published last determines the types of columns.
    """
    found: dict[str, str | None] = {}
    types: dict[tuple[str, str], str] = {}
    for member in sorted(members, key=lambda one: one.published_at, reverse=True):
        own = {
            (table, name): type_
            for table, columns in members[member].items()
            for name, type_ in columns.items()
        }
        refusal = _refusal(member, members[member], own, types)
        if not refusal:
            types |= own
        found[member.account_id] = refusal
    return found


def _kind(type_: str) -> str:
    """Decimals are of one kind: each version has them in as few digits as lose nothing."""
    return "DECIMAL" if type_.startswith("DECIMAL") else type_


def _refusal(
    member: Member,
    columns: Columns,
    own: Mapping[tuple[str, str], str],
    types: Mapping[tuple[str, str], str],
) -> str | None:
    if member.published is None:
        return "nothing is published"
    if member.in_lake:
        return f"its {member.in_lake[0]} stays in its lake: publish it with --facts copied"
    for key, taken in INCLUDED_TABLES.items():
        if key not in columns:
            return f"its version has no {key}: publish it with its marts"
        for name in taken.needs:
            if name not in columns[key]:
                return f"its version has no {key}.{name}: run it with this release"
    for (key, name), type_ in own.items():
        other = types.get((key, name), type_)
        if _kind(type_) != _kind(other):
            return f"its {key}.{name} is {type_}, and {other} elsewhere: run it with this release"
    return None
