"""Published: asks two published versions why a figure is another one in the later of them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import duckdb

from wholesale.errors import Unanswerable, one_line
from wholesale_elt.causes import (
    AFTER,
    BEFORE,
    Cause,
    Difference,
    Part,
    Then,
    difference,
    made_as_of,
    tables_read,
)
from wholesale_elt.dashboard import time_text
from wholesale_elt.figures import Question, in_our_words
from wholesale_elt.process import hold
from wholesale_elt.publish import (
    CURRENT_VERSION,
    PREVIOUS,
    NotKept,
    find_version,
    kept_versions,
)
from wholesale_elt.warehouse import Warehouse, open_files

Watch = Callable[[duckdb.DuckDBPyConnection], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: a published version; a file that was built as of a moment, which has no
    version but its name; or what was made of the past, which has none."""

    name: str
    version: str | None
    as_of: str | None
    verdict: str
    database: Path

    @classmethod
    def of_then(cls, name: str, version: str | None, then: Then) -> Self:
        verdict = "complete" if then.is_complete else "incomplete"
        return cls(name, version, then.as_of, verdict, then.database)


@dataclass(frozen=True, slots=True)
class PublishedDifference:
    """An answer, and the versions that gave it."""

    question: Question
    difference: Difference
    before: Side
    after: Side
    notes: Sequence[str] = ()

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
            "notes": self.notes,
            "statements": found.statements,
        }

    def summary(self) -> str:
        """Which versions these are, as of when, and which settings differ."""
        sides = " to ".join(
            f"{each.name} ({each.verdict} as of {time_text(each.as_of)})"
            for each in (self.before, self.after)
        )
        settings = "".join(
            f"; {each.setting}: {each.before} became {each.after}"
            for each in self.difference.settings
        )
        called = "".join(f"; {each}" for each in self.notes)
        return f"{self.question.period}: {sides}{settings}{called}"


def why_published(
    published: Path,
    question: Question,
    before: str = PREVIOUS,
    after: str = CURRENT_VERSION,
    *,
    warehouse: Warehouse | None = None,
    with_orders: bool = True,
    may_be_files: bool = True,
    watch: Watch = nullcontext,
) -> PublishedDifference:
    """Why a metric is another one in the version `after` than in the version `before`.

    A version is named by its name, the beginning of it, `current`, `previous`, or a moment: then it
    is the one that was in force. A day is the moment at which it begins, in UTC. If no version of a
    moment is kept, what was so then is made of the past of the `warehouse`, if that is given and
    there. A file such as `wholesale build --as-of` makes counts as a version too, unless that is
    not allowed. `watch` is entered with the connection while it is asked.
    Raises: NotPublished if the folder holds none; Unanswerable for a version that is not kept, and
    as `difference` does; NotInPast, AlreadyRunning and what building raises for what is made.
    """
    folder = published.expanduser()
    kept = kept_versions(folder)
    question, called = in_our_words(question)
    found = [_find(folder, name, may_be_files=may_be_files) for name in (before, after)]
    with ExitStack() as making:
        sides = _made(making, found, question, kept[-1].currency, warehouse)
        before_it, after_it = sides
        found_so = _ask(sides, question, with_orders=with_orders, watch=watch)
        return PublishedDifference(question, found_so, before_it, after_it, called)


def _find(published: Path, name: str, *, may_be_files: bool) -> Side | NotKept:
    """The version or file of that name; why there is none of a moment, which may yet be made."""
    file = Path(name).expanduser()
    if may_be_files and file.suffix == ".duckdb" and file.is_file():
        return Side.of_then(name, name, Then.of(file))
    try:
        found = find_version(published, name)
    except NotKept as error:
        return error
    database = published / found.database.path
    return Side(found.version, found.version, found.as_of, found.verdict, database)


def _made(
    making: ExitStack,
    found: Sequence[Side | NotKept],
    question: Question,
    currency: str,
    warehouse: Warehouse | None,
) -> list[Side]:
    """Both sides, of which those that are not kept are made until the stack is closed."""
    lacking = [each for each in found if isinstance(each, NotKept)]
    if lacking and (warehouse is None or not warehouse.may_exist):
        raise Unanswerable(
            f"{lacking[0]}, and no warehouse is here to make what was so then: name it by"
            " --database or --destination"
        )
    read = tables_read(question)
    if lacking and warehouse:
        making.enter_context(hold(warehouse.state_folder / "why", "what was so then"))
    sides = []
    for number, each in enumerate(found):
        if isinstance(each, NotKept):
            assert warehouse  # else it is raised above
            place = f"why/{number}"
            then = making.enter_context(made_as_of(warehouse, each.moment, place, currency, read))
            each = Side.of_then(f"what was so at {each.moment.isoformat()}", None, then)
        sides.append(each)
    return sides


def _ask(
    sides: Sequence[Side], question: Question, *, with_orders: bool, watch: Watch
) -> Difference:
    both = {name: side.database for name, side in zip((BEFORE, AFTER), sides, strict=True)}
    with open_files(both) as connection:
        try:
            with watch(connection):
                return difference(connection, question, with_orders=with_orders)
        except (duckdb.BinderException, duckdb.CatalogException) as error:
            raise Unanswerable(
                "a version lacks what this release counts, as another one built it, or it has"
                f" reports alone: {one_line(error)}"
            ) from None


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
