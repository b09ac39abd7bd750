"""Schema watch: notes changes in what the service sends: fields, types, states."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from wholesale.api import Resource
from wholesale.compare import NOTHING, Stored
from wholesale.json import write
from wholesale.names import EXTRA
from wholesale.sync import Reader, Run
from wholesale.tables import Decoded, Misfit, TableShape
from wholesale_elt.runs import Aspect, SchemaChange, read_changes
from wholesale_elt.warehouse import Raw

STATE = "status"
"""Suffix of the columns that hold one of a few states (§4.3, §4.6)."""
MOST_ASKED = 200
"""Fields of a table of which a run notes that their values do not fit for the first time: each
takes a query, and an object used as a map has thousands."""


Seen = tuple[Aspect, str, str | None, str | None]
"""A change: aspect, name, before, after, as in `SchemaChange`."""
Noted = Mapping[tuple[str, str, str], str | None]
"""The `after` of the last change that was noted, by resource, aspect and name."""


class SchemaWatch:
    """Compares what a run writes with what was stored before, and collects the changes.

    A resource that was never loaded before has none.
    """

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._stored: dict[str, Stored] = {}
        self._states_before: dict[str, dict[str, set[str]]] = defaultdict(dict)
        self._states: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._had_misfits: dict[Misfit, bool] = {}
        self._asked: Counter[str] = Counter()

    def noting(
        self, stored: Callable[[Resource, TableShape], Stored]
    ) -> Callable[[Resource, TableShape], Stored]:
        """The same function, whose results are also kept here."""

        def ask(resource: Resource, shape: TableShape) -> Stored:
            self._stored[resource.name] = stored(resource, shape)
            return self._stored[resource.name]

        return ask

    def see(self, decoded: Decoded) -> None:
        """Look at records before they are written."""
        resource, root = decoded.shape.table, decoded.root
        states = [
            field.name
            for field in root.schema
            if field.name.endswith(STATE) and pa.types.is_string(field.type)
        ]
        before = self._states_before[resource]
        for name in states:
            if name not in before:  # also for a column that is found in this run
                before[name] = self._known(resource, name)
            seen = pc.unique(root[name]).to_pylist()
            self._states[resource][name].update(state for state in seen if state)
        for misfit in decoded.misfits:
            if misfit not in self._had_misfits:
                self._asked[misfit.table] += 1
                is_asked = self._asked[misfit.table] <= MOST_ASKED
                self._had_misfits[misfit] = not is_asked or self._keeps(misfit)

    def changes(self, run: Run, resources: Sequence[str]) -> list[SchemaChange]:
        """The changes of these resources that no earlier run has noted."""
        noted: Noted = {
            (change.resource, change.aspect, change.name): change.after
            for change in read_changes(self._raw)
        }
        found: list[SchemaChange] = []
        for name in resources:
            if not len(self._stored.get(name, NOTHING)):
                continue
            reader = run.readers[name]
            seen = (
                *_fields(run, reader, noted),
                *self._types(reader),
                *self._new_states(name),
            )
            for aspect, place, before, after in seen:
                if noted.get((name, aspect, place), before) != after:
                    found.append(SchemaChange(run.run_id, name, aspect, place, before, after))
        return found

    def _known(self, resource: str, column: str) -> set[str]:
        if column not in self._raw.column_names(resource):
            return set()
        quoted, table = self._raw.quoted(column), self._raw.name(resource)
        rows = self._raw.rows(f"select distinct {quoted} from {table}")
        return {state for (state,) in rows if state}

    def _keeps(self, misfit: Misfit) -> bool:
        """Whether the destination keeps such a value already, from when the field was no news."""
        if EXTRA not in self._raw.column_names(misfit.table):
            return False
        known = f"select 1 from {self._raw.name(misfit.table)}"
        is_named = f"position(%s in cast({self._raw.quoted(EXTRA)} as text)) > 0"
        return bool(self._raw.rows(f"{known} where {is_named} limit 1", f"{write(misfit.field)}:"))

    def _new_states(self, resource: str) -> Iterator[Seen]:
        """New states, one change each; the first states of a column are no change."""
        for column, states in self._states[resource].items():
            before = self._states_before[resource][column]
            for state in sorted(states - before if before else ()):
                yield "state", f"{resource}.{column}={state}", None, state

    def _types(self, reader: Reader) -> Iterator[Seen]:
        for table, field in sorted(reader.tally.misfits):
            if not self._had_misfits.get(Misfit(table, field)):
                yield "type", f"{table}.{field}", None, "values that do not fit"


def _fields(run: Run, reader: Reader, noted: Noted) -> Iterator[Seen]:
    """Columns that are new, that vanished, and that vanished before and are back."""
    resource, tally = reader.resource.name, reader.tally
    types = {field.name: str(field.type) for field in reader.shape.schema}
    for place in tally.found:
        table, _, column = place.partition(".")
        yield "field", place, None, types[column] if table == resource else "entry"
    usual = run.known.fields.get(resource, frozenset[str]()) if run.known else frozenset[str]()
    for column in reader.expectation.vanished(usual.intersection(types)):
        if (resource, column) not in tally.misfits:
            yield "field", f"{resource}.{column}", types[column], None
    for column in reader.expectation.filled:
        if noted.get((resource, "field", f"{resource}.{column}"), "") is None:
            yield "field", f"{resource}.{column}", None, types[column]
