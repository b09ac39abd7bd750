"""One request as the handlers see it: what is asked, and where the records are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from wholesale_sandbox.answers import Answer
from wholesale_sandbox.faults import Dials, Fallen
from wholesale_sandbox.storage import Storage


@dataclass(frozen=True, slots=True)
class Call:
    """`ids`: the ids in the path, by the names of ENDPOINTS; `now`: UTC.

    `fallen`: the faults that befall this request.
    """

    storage: Storage
    dials: Dials
    now: datetime
    ids: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    content_type: str = ""
    body: bytes = b""
    fallen: Sequence[Fallen] = ()


Handler = Callable[[Call], Answer]
