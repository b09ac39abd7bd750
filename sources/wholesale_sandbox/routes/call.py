"""Call: one request as the handlers see it, with the storage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from wholesale_sandbox.faults import ActiveFault, Dials
from wholesale_sandbox.responses import Response
from wholesale_sandbox.storage import Storage


@dataclass(frozen=True, slots=True)
class Call:
    """`ids`: the ids in the path, by the names of ENDPOINTS; `now`: UTC.

    `faults`: those that apply to this request.
    """

    storage: Storage
    dials: Dials
    now: datetime
    ids: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    content_type: str = ""
    body: bytes = b""
    faults: Sequence[ActiveFault] = ()

    def id_of(self, resource: str, name: str) -> str:
        """The id in the path; in small letters if only these name a record."""
        asked = self.ids[name]
        small = asked.lower()
        if asked == small or self.storage.collection(resource).get(asked) is not None:
            return asked
        return small


Handler = Callable[[Call], Response]
