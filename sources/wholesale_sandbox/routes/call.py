"""Call: one request as the handlers see it, and where the records are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from wholesale_sandbox.answers import Answer
from wholesale_sandbox.faults import ActiveFault, Dials
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


Handler = Callable[[Call], Answer]
