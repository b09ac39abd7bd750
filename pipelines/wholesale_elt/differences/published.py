"""Published: asks two published versions why a figure is another one in the later of them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from wholesale.errors import one_line
from wholesale_elt.causes import (
    AFTER,
    BEFORE,
    COMPLETE_AS_OF,
    Cause,
    Difference,
    Part,
    difference,
)
from wholesale_elt.dashboard import time_text
from wholesale_elt.figures import Question, Unanswerable, unknown
from wholesale_elt.process import budget
from wholesale_elt.publish import MANIFEST, Manifest, find_site

CURRENT_VERSION, PREVIOUS = "current", "previous"
Watch = Callable[[duckdb.DuckDBPyConnection], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: a published version, or a file that was built as of a moment, which has no
    version but its name."""

    version: str
    as_of: str | None
    verdict: str
    database: Path


@dataclass(frozen=True, slots=True)
class PublishedDifference:
    """An answer, and the versions that gave it."""

    question: Question
    difference: Difference
    before: Side
    after: Side

    def as_document(self) -> Mapping[str, Any]:
        """What `--json` prints; amounts are decimals."""
        found = self.difference
        total = _describe(found.total)
        told = {
            name: {
                "version": side.version,
                "as_of": side.as_of,
                "verdict": side.verdict,
                "value": total.pop(name),
            }
            for name, side in (("from", self.before), ("to", self.after))
        }
        return {
            "metric": found.metric.name,
            **told,
            **total,
            "rows": [_describe(row) for row in found.rows],
            "settings": [
                {"setting": each.setting, "from": each.before, "to": each.after}
                for each in found.settings
            ],
            "period": self.question.period,
            "statements": found.statements,
        }

    def summary(self) -> str:
        """Which versions these are, as of when, and which settings differ."""
        sides = " to ".join(
            f"{each.version} ({each.verdict} as of {time_text(each.as_of)})"
            for each in (self.before, self.after)
        )
        settings = "".join(
            f"; {each.setting}: {each.before} became {each.after}"
            for each in self.difference.settings
        )
        return f"{self.question.period}: {sides}{settings}"


def why_published(
    published: Path,
    question: Question,
    before: str = PREVIOUS,
    after: str = CURRENT_VERSION,
    *,
    with_orders: bool = True,
    may_be_files: bool = True,
    watch: Watch = nullcontext,
) -> PublishedDifference:
    """Why a metric is another one in the version `after` than in the version `before`.

    A version is named by its name, the beginning of it, `current`, `previous`, or a moment: then it
    is the one that was in force. A day is the moment at which it begins, in UTC. A file such as
    `wholesale build --as-of` makes counts as a version too, unless that is not allowed. `watch` is
    entered with the connection while it is asked.
    Raises: NotPublished if the folder holds none; Unanswerable for a version that is not kept, and
    as `difference` does.
    """
    sides = [
        _side(published.expanduser(), name, may_be_files=may_be_files) for name in (before, after)
    ]
    with budget.open_within() as connection:
        connection.execute("set timezone = 'UTC'")
        for name, side in zip((BEFORE, AFTER), sides, strict=True):
            path = str(side.database).replace("'", "''")
            connection.execute(f"attach '{path}' as {name} (read_only)")
        connection.execute("set enable_external_access = false")
        try:
            with watch(connection):
                found = difference(connection, question, sides[0].as_of, with_orders=with_orders)
        except (duckdb.BinderException, duckdb.CatalogException) as error:
            raise Unanswerable(
                "a version lacks what this release counts, as another one built it, or it has"
                f" reports alone: {one_line(error)}"
            ) from None
    return PublishedDifference(question, found, *sides)


def _side(published: Path, name: str, *, may_be_files: bool) -> Side:
    file = Path(name).expanduser()
    if may_be_files and file.suffix == ".duckdb" and file.is_file():
        with duckdb.connect(file, read_only=True) as connection:
            [(is_complete, as_of)] = connection.execute(COMPLETE_AS_OF).fetchall()
        return Side(name, as_of, "complete" if is_complete else "incomplete", file)
    found = find_version(kept_versions(published), name)
    return Side(found.version, found.as_of, found.verdict, published / found.database.path)


def kept_versions(published: Path) -> Sequence[Manifest]:
    """The versions that the folder keeps, up to the one in force, oldest first.

    Raises: NotPublished if there are none.
    """
    current = find_site(published).manifest
    found = [
        Manifest.of(path.read_bytes())
        for path in sorted((published / "versions").glob(f"*/{MANIFEST}"))
        if path.parent.name < current.version
    ]
    return [*found, current]


def find_version(kept: Sequence[Manifest], name: str) -> Manifest:
    """The version of that name, of that beginning if there is one such alone, or of that moment.

    Raises: Unanswerable if there is none.
    """
    if name == CURRENT_VERSION:
        return kept[-1]
    if name == PREVIOUS:
        if len(kept) < 2:
            raise Unanswerable(f"{kept[-1].version} is the only version that is kept")
        return kept[-2]
    named = [each for each in kept if each.version == name] or [
        each for each in kept if each.version.startswith(name)
    ]
    if len(named) == 1:
        return named[0]
    try:
        moment = datetime.fromisoformat(name)
    except ValueError:
        raise unknown(name, [each.version for each in kept], "version") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    in_force = [each for each in kept if datetime.fromisoformat(each.published_at) <= moment]
    if not in_force:
        raise Unanswerable(
            f"no version that was in force at {name} is kept, the oldest is {kept[0].version}:"
            f" `wholesale build --as-of {name} --to then.duckdb` makes one, to name in its place"
        )
    return in_force[-1]


def _describe(part: Part) -> dict[str, Any]:
    return {
        **part.members,
        "from": part.before,
        "to": part.after,
        "difference": part.difference,
        "causes": [_cause(each) for each in part.causes],
        "residue": part.residue,
    }


def _cause(cause: Cause) -> Mapping[str, Any]:
    return {
        "cause": cause.cause,
        "fields": cause.fields,
        "amount": cause.amount,
        "part": cause.part,
        "part_amount": cause.part_amount,
        "order_count": cause.order_count,
        "order_ids": cause.order_ids,
        "orders": cause.orders,
    }
