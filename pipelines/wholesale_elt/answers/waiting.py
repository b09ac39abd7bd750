"""Waiting: the tasks of each kind, what they come to, and what is not known of them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, Self

from wholesale.errors import counted
from wholesale_elt.dashboard import WITHOUT_SUM, count_stateless, tasks_of, time_text
from wholesale_elt.publish import Site
from wholesale_elt.warehouse import open_file

NOTHING = "Nothing waits: no silent buyer, no order that waits too long, no old bill"
STATELESS = "No task is known, and of {} without a state it is not known whether they wait"
Task = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks of each kind that has any, the most urgent first, and how many orders tell no
    state."""

    site: Site
    of_kinds: Mapping[str, Sequence[Task]]
    stateless: int

    @classmethod
    def read(cls, site: Site, kinds: Sequence[str]) -> Self:
        """Raises: WholesaleError if they are not published, or for an unknown kind."""
        with open_file(site.database) as connection:
            found = {kind: tasks_of(connection, kind) for kind in kinds}
            stateless = count_stateless(connection)
        return cls(site, {kind: rows for kind, rows in found.items() if rows}, stateless)

    def rows(self, most: int | None) -> Sequence[Task]:
        """At most so many of each kind, with what is known of them."""
        return [
            {name: row[name] for name in row if row[name] is not None}
            for of_kind in self.of_kinds.values()
            for row in of_kind[:most]
        ]

    def document(self, most: int | None) -> dict[str, Any]:
        """What `--json` prints."""
        manifest = self.site.manifest
        return {
            "tasks": self.rows(most),
            "totals": [
                {"kind": kind, "tasks": len(rows), "amount": amount_of(kind, rows)}
                for kind, rows in self.of_kinds.items()
            ],
            "unknown_states": [asdict(each) for each in manifest.unknown_states],
            "orders_without_state": self.stateless,
            **{"verdict": manifest.verdict, "as_of": manifest.as_of},
            "version": manifest.version,
        }

    def summary(self) -> str:
        """How many there are, and how far to trust that."""
        manifest, count = self.site.manifest, sum(map(len, self.of_kinds.values()))
        doubts = "".join(f"; {each}" for each in manifest.doubts)
        verdict = f"{manifest.verdict} as of {time_text(manifest.as_of)}{doubts}"
        nothing = NOTHING
        if self.stateless:
            nothing = STATELESS.format(counted(self.stateless, "order"))
        return f"{counted(count, 'task') if count else nothing}: {verdict}"


def amount_of(kind: str, rows: Sequence[Task]) -> Decimal | None:
    """What is known of the money of tasks of a kind; None if nothing is, or if it has no sum."""
    if kind in WITHOUT_SUM:
        return None
    known = [row["amount"] for row in rows if row["amount"] is not None]
    return sum(known, Decimal(0)) if known else None
