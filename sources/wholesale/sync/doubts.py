"""Doubts: whether one reading of one resource is complete, and each reason why it is not."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from wholesale.errors import counted, listed
from wholesale.prove import Proof

UNPROVED = "nothing proves that the list was read completely"
REFUSED = "came in no form that agrees with the list"


@dataclass(slots=True)
class Doubts:
    """Whether one reading may be called complete, and why not.

    - `proof`: as of when the resource is complete; None where that is not proved.
    - `mismatch`: why it is not, in numbers; empty where `faults` say it.
    - `faults`: what speaks against the list, or explains why records are refused; told only where
      something else does, or no proof is there.
    - `contents`: what was not read of the records, though their list is proved.
    - `suspects`: ids of stored records whose absence is not settled.
    - `refused`: ids of records that came only incomplete or contradicting the list.
    - `unread`: ids of records that are needed and cannot be read by themselves, and why.
    - `quarantined`: how many records came without a usable id.
    - `ended_at`: UTC. `with_remedies`: as in Service.
    """

    proof: Proof | None = None
    mismatch: str = ""
    faults: list[str] = field(default_factory=list)
    contents: list[str] = field(default_factory=list)
    suspects: Sequence[str] = ()
    refused: Sequence[str] = ()
    unread: Mapping[str, str] = field(default_factory=dict)
    quarantined: int = 0
    ended_at: datetime | None = None
    is_finished: bool = False
    failure: str | None = None
    with_remedies: Callable[[str], str] = field(default=str, repr=False, compare=False)

    @property
    def has_read_all(self) -> bool:
        """Whether the reading came to its end, and no record is refused, unread or suspect."""
        return self.is_finished and not (self.refused or self.unread or self.suspects)

    def prove(self, proof: Proof | None, mismatch: str = "") -> None:
        """Take this proof, or in numbers why there is none."""
        self.proof, self.mismatch = proof, mismatch

    def prove_no_later_than(self, moment: datetime) -> None:
        """Date the proof back to this moment."""
        if self.proof:
            at = min(self.proof.complete_as_of, moment)
            self.proof = replace(self.proof, complete_as_of=at)

    def withdraw(self, fault: str) -> None:
        """Withdraw the proof, for this reason."""
        self.proof = None
        self.faults.insert(0, fault)

    def add_faults(self, faults: Iterable[str]) -> None:
        """Add what speaks against the list."""
        self.faults += faults

    def doubt_contents(self, sentences: Iterable[str]) -> None:
        """Add what was not read of the records."""
        self.contents += sentences

    def add_quarantined(self, records: int) -> None:
        self.quarantined += records

    def leave_open(self, suspects: Iterable[str], refused: Iterable[str]) -> None:
        """Name the records that are not settled."""
        self.suspects, self.refused = tuple(sorted(suspects)), tuple(sorted(refused))

    def leave_unread(self, why: Iterable[tuple[str, str]]) -> None:
        """Name the records that cannot be read, and why."""
        self.unread = dict(sorted(why))

    def finish(self) -> None:
        self.ended_at = datetime.now(UTC)
        self.is_finished = True

    def stop(self, fault: str) -> None:
        """Note that the reading cannot go on before the service is looked at anew."""
        self.ended_at = datetime.now(UTC)
        self.faults.append(fault)

    def fail(self, message: str) -> None:
        """Note why the reading did not come to its end."""
        self.ended_at = datetime.now(UTC)
        self.failure = message

    def sentences(self) -> list[str]:
        """The reasons not to call the reading complete, one sentence for each kind; empty if it is
        complete."""
        doubts: list[str] = []
        if not self.is_finished:
            doubts.append(self.failure or "the read did not reach the end")
        elif self.proof is None and (self.mismatch or not self.faults):
            doubts.append(self.mismatch or UNPROVED)
        if self.unread:
            first, *others = self.unread
            also = f", nor {listed(others)}" if others else ""
            doubts.append(cannot_be_read(len(self.unread), "record", self.unread[first], also))
        for count, noun, where in (
            (len(self.suspects), "stored record", "not listed, and not settled yet"),
            (len(self.refused), "record", REFUSED),
            (self.quarantined, "record", "in quarantine"),
        ):
            if count:
                doubts.append(f"{counted(count, noun)} {where}")
        doubts += self.contents
        doubts += self.faults if doubts or self.proof is None else ()
        return list(dict.fromkeys(map(self.with_remedies, doubts)))


def cannot_be_read(number: int, noun: str, why: str, also: str = "") -> str:
    """That so many records, or lists, cannot be read: why the first cannot, and what to do."""
    return (
        f"{counted(number, noun)} cannot be read: {why.partition(';')[0]}{also};"
        " the next run asks again: if it fails too, ask whoever runs the service"
    )
