"""Noted: what runs note besides records: the names of these tables, and changes of the service."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from wholesale.errors import counted, legible

SUSPECTS = "sync_suspects"
"""Records that a run left open, by the reason: one of the next two."""
ABSENT = "absent"
"""A stored record that was not listed, and whose absence could not be settled."""
REFUSED = "refused"
"""A record that came only incomplete, or contradicting the list."""
SERVICE = "sync_service"
"""What is known of the service, a row a fact; all of them whenever a run found one to differ."""
CHANGES = "sync_changes"
"""Changes in what the service sends; a row by the run that saw a change first."""
ERASED = "privacy_erased"
"""Who was erased, as hashes with the warehouse's salt; later syncs do not store them again."""
WORD = re.compile(r"[\w.-]{1,40}")
Aspect = Literal["field", "type", "state"]


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One row of `sync_changes`: what changed in a resource with a run; None stands for absent.

    `name` is a column as `table.column`, for a `state` followed by its value.
    """

    run_id: str
    resource: str
    aspect: Aspect
    name: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        name = legible(self.name)
        if self.aspect == "state":
            return f"new state {name}"
        if self.aspect == "type":
            return f"{name}: {self.after}"
        if self.after is None:
            return f"{name} vanished"
        if self.before is None:
            return f"{name} is new"
        return f"{name} was {self.before} and is {self.after}"

    def for_others(self) -> "SchemaChange":
        """The same as it may be sent to others: a state, or the name of a field, that is longer
        than a word, or may be an address, is told by its length alone."""
        sign = "=" if self.aspect == "state" else "."
        place, _, word = self.name.partition(sign)
        if WORD.fullmatch(word):
            return self
        told = f"(a text of {counted(len(word), 'character')})"
        after = told if self.aspect == "state" else self.after
        return replace(self, name=f"{place}{sign}{told}", after=after)
