"""Why: asks two kept versions why a figure is another one in the later of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wholesale_elt.dashboard import time_text
from wholesale_elt.differences import AFTER, BEFORE, Cause, Difference, Part, difference
from wholesale_elt.figures import Question, Unanswerable, unknown
from wholesale_elt.process import budget
from wholesale_elt.publish.manifest import MANIFEST, Manifest
from wholesale_elt.publish.site import find_site

CURRENT_VERSION, PREVIOUS = "current", "previous"


@dataclass(frozen=True, slots=True)
class PublishedDifference:
    """An answer, and the versions that gave it."""

    question: Question
    difference: Difference
    before: Manifest
    after: Manifest

    def as_document(self) -> Mapping[str, Any]:
        """What `--json` prints; amounts are decimals."""
        found = self.difference
        total = _describe(found.total)
        sides = {"from": self.before, "to": self.after}
        told = {
            side: {
                "version": manifest.version,
                "as_of": manifest.as_of,
                "verdict": manifest.verdict,
                "value": total.pop(side),
            }
            for side, manifest in sides.items()
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
            "currency": self.after.currency,
            "statements": found.statements,
        }

    def summary(self) -> str:
        """Which versions these are, as of when, and which settings differ."""
        moments = " to ".join(
            f"{each.version} ({each.verdict} as of {time_text(each.as_of)})"
            for each in (self.before, self.after)
        )
        settings = "".join(
            f"; {each.setting}: {each.before} became {each.after}"
            for each in self.difference.settings
        )
        return f"{moments}; {self.question.period}; {self.after.currency}{settings}"


def why_published(
    published: Path,
    question: Question,
    before: str = PREVIOUS,
    after: str = CURRENT_VERSION,
    *,
    with_orders: bool = True,
) -> PublishedDifference:
    """Why a metric is another one in the version `after` than in the version `before`.

    A version is named by its name, the beginning of it, `current`, `previous`, or a moment: then it
    is the one that was in force. A day is the moment at which it began, in UTC.
    Raises: NotPublished if the folder holds none; Unanswerable for a version that is not kept, and
    as `difference` does.
    """
    published = published.expanduser()
    kept = kept_versions(published)
    versions = [find_version(kept, name) for name in (before, after)]
    with budget.open_within() as connection:
        connection.execute("set timezone = 'UTC'")
        for name, manifest in zip((BEFORE, AFTER), versions, strict=True):
            path = str(published / manifest.database.path).replace("'", "''")
            connection.execute(f"attach '{path}' as {name} (read_only)")
        connection.execute("set enable_external_access = false")
        found = difference(connection, question, versions[0].as_of, with_orders=with_orders)
    return PublishedDifference(question, found, *versions)


def kept_versions(published: Path) -> Sequence[Manifest]:
    """The versions that the folder keeps, up to the one in force, oldest first.

    Raises: NotPublished if there are none.
    """
    current = find_site(published).manifest
    found = [
        Manifest.of(path.read_bytes())
        for path in sorted((published / "versions").glob(f"*/{MANIFEST}"))
        if path.parent.name <= current.version
    ]
    return found or [current]


def find_version(kept: Sequence[Manifest], name: str) -> Manifest:
    """The version of that name; of several that begin so, none.

    Raises: Unanswerable if there is none.
    """
    if name == CURRENT_VERSION:
        return kept[-1]
    if name == PREVIOUS:
        if len(kept) < 2:
            raise Unanswerable(f"{kept[-1].version} is the only version: publish again first")
        return kept[-2]
    named = [each for each in kept if each.version.startswith(name)]
    if len(named) == 1:
        return named[0]
    try:
        moment = datetime.fromisoformat(name)
    except ValueError:
        raise unknown(name, [each.version for each in kept], "version") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    before = [each for each in kept if datetime.fromisoformat(each.published_at) <= moment]
    if not before:
        raise Unanswerable(
            f"no version is kept that was in force at {name}: the oldest is {kept[0].version}"
        )
    return before[-1]


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
