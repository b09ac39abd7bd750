"""Whatever a service does while it is read, what is certified was so, or the run says otherwise.

Each seed is a service with habits of its own (see `worlds`), synced several times while it
drifts, then left in peace. A certified run is judged at the moment that its proof names: of all
that was there then and still is nothing is missing, nothing that was gone is still there, and
nothing is older than it was.

WORLDS says how many the long line draws: `poe services` takes ten thousand.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any, get_args

import pytest

from support.few import few
from support.records.model import COMMENTS, LINES, NUMBER, Model, Row
from support.services.worlds import QUIET, SUMMARY, Content, Outage, World
from wholesale.errors import ServiceError
from wholesale.sync.reader import Reader

CHUNKS = 3
SEEDS_A_CHUNK = 10
SEEDS_OF_MANY = 100
CHUNKS_OF_MANY = int(os.environ.get("WORLDS", "500")) // SEEDS_OF_MANY
SEEDS_OF_OUTAGES = 8
SEEDS_OF_MANY_OUTAGES = 50
SEED_OF_CONTRADICTION = 1053
"""A silent edit between the scan and the look that proves, seen in a page of bodies only."""
FEW_REQUESTS = 10
MOST_FULL_SCANS = 3
"""Two where what is new stands in the middle of the list, or nothing is counted; the second may be
cut into pages of half the size."""
MOST_DELETED = 60

Rows = tuple[Row, list[Row], list[Row]]


@dataclass(slots=True)
class Tally:
    """Runs under drift, by what came of them."""

    runs: int = 0
    certified: int = 0
    killed: int = 0


@pytest.fixture(scope="module")
def tally() -> Iterator[Tally]:
    tally = Tally()
    yield tally
    assert tally.certified > tally.runs / 4, tally


def rows_of(key: str, content: Content) -> Rows:
    """An order as it must be stored: its row, lines and comments."""
    order, lines, comments = content

    def row(fields: dict[str, Any]) -> Row:
        exact = {k: Decimal(str(v)) if isinstance(v, float) else v for k, v in fields.items()}
        return {k: v for k, v in exact.items() if v is not None}

    def rows(table: str, entries: list[dict[str, Any]]) -> list[Row]:
        return [
            {"order_id": key, NUMBER[table]: number, **row(entry)}
            for number, entry in enumerate(entries, start=1)
        ]

    return row(order), rows(LINES, lines), rows(COMMENTS, comments)


def summary_of(content: Content) -> Row:
    fields, *_ = content
    return {name: fields[name] for name in SUMMARY}


def expected(world: World, key: str) -> Rows:
    """The order as the service has it now."""
    return rows_of(key, world.orders[key].content())


def held(model: Model, key: str) -> Rows:
    lines, comments = (model.children[table].get(key, []) for table in (LINES, COMMENTS))
    return model.rows[key], lines, comments


def assert_exact(world: World, model: Model, keys: set[str], when: str) -> None:
    for key in sorted(keys):
        assert key in model.rows, f"{when}: {key} is missing"
        assert key not in model.deleted, f"{when}: {key} is marked although it exists"
        assert held(model, key) == expected(world, key), f"{when}: {key} is not as it is"


def assert_true(world: World, model: Model, reader: Reader, when: str) -> None:
    """What a certificate says of its moment; an edit that no summary shows is not of it."""
    proof = reader.doubts.proof
    assert proof, when
    alive = model.rows.keys() - model.deleted
    for key in world.past.keys() | alive:
        since = world.contents_since(proof.complete_as_of, key)
        if None not in since:
            assert key in alive, f"{when}: {key} is missing"
        if key in alive:
            summaries = [summary_of(content) for content in since if content]
            assert summaries, f"{when}: {key} is a phantom"
            contents = [past.content for past in world.past[key] if past.content]
            is_as_then = [
                held(model, key) == rows_of(key, content)
                for content in contents
                if summary_of(content) in summaries
            ]
            assert any(is_as_then), f"{when}: {key} is older than it was"


def assert_no_false_delete(world: World, model: Model, when: str) -> None:
    assert model.deleted <= world.deleted, f"{when}: marked although they exist"


def sync_under_drift(
    world: World, model: Model, tally: Tally, when: str, *, killed_after: int | None = None
) -> None:
    reader = model.sync(world, killed_after=killed_after)
    tally.runs += 1
    assert set(reader.gone) <= world.deleted, f"{when}: 404 of what exists"
    assert_no_false_delete(world, model, when)
    if killed_after is not None:
        tally.killed += 1
    elif not reader.doubts.sentences():
        tally.certified += 1
        assert_true(world, model, reader, when)


def sync_in_peace(world: World, model: Model, when: str) -> Reader:
    """A run during which nothing changes: it is certified, and brings everything. That a list is
    empty of which something is stored takes a second one to believe."""
    world.drift = QUIET
    reader = model.sync(world)
    if not world.orders and reader.doubts.suspects:
        reader = model.sync(world)
    assert reader.doubts.sentences() == [], when
    assert_exact(world, model, set(world.orders), when)
    assert model.deleted == model.rows.keys() - world.orders.keys(), when
    assert_no_false_delete(world, model, when)
    return reader


def out_of_date(world: World, model: Model) -> set[str]:
    """Ids that a run must ask for: new, changed, gone, or changed too recently to be sure."""
    alive = model.rows.keys() - model.deleted
    since = model.dirty_since(world.habits.grain)
    dirty = {
        key for key in alive if since and (at := model.rows[key].get("updated_at")) and at >= since
    }
    changed = {
        key
        for key in world.orders
        if key not in model.rows or held(model, key) != expected(world, key)
    }
    return changed | dirty | (alive - world.orders.keys())


@pytest.mark.parametrize(
    "chunk", [0, *(pytest.param(chunk, marks=pytest.mark.slow) for chunk in range(1, CHUNKS))]
)
def test_what_is_certified_is_what_the_service_has(chunk: int, tally: Tally) -> None:
    live_through(range(chunk * SEEDS_A_CHUNK, (chunk + 1) * SEEDS_A_CHUNK), tally)


def test_a_body_that_contradicts_its_summary_in_one_version_is_not_passed_over() -> None:
    live_through([SEED_OF_CONTRADICTION], Tally())


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS_OF_MANY))
def test_what_is_certified_is_what_the_service_has_in_many_worlds(chunk: int, tally: Tally) -> None:
    first = CHUNKS * SEEDS_A_CHUNK + chunk * SEEDS_OF_MANY
    live_through(range(first, first + SEEDS_OF_MANY), tally)


def live_through(seeds: Iterable[int], tally: Tally) -> None:
    for seed in seeds:
        world, model, random = World(seed), Model(), Random(seed)
        if random.random() < 0.5:
            sync_in_peace(world, model, f"seed {seed}, first run")
        for number in range(random.randint(1, 2)):
            world.mutate_at_rest(random.choice((0, 3, 30)))
            world.drift = world.draw_drift()
            killed_after = random.choice((0, 1, 1, 2)) if random.random() < 0.05 else None
            when = f"seed {seed}, drifting run {number}"
            sync_under_drift(world, model, tally, when, killed_after=killed_after)
        sync_in_peace(world, model, f"seed {seed}, quiet run")

        if random.random() < 0.3:
            sync_changes(world, model, random.randint(1, 6), f"seed {seed}, run after changes")
        sync_changes(world, model, 0, f"seed {seed}, run without changes")


def sync_changes(world: World, model: Model, changes: int, when: str) -> None:
    """A run costs the pages of the summaries, and no body but of what it must ask for."""
    world.mutate_at_rest(changes)
    wanted = len(out_of_date(world, model))
    is_first = not model.rows  # which looks at a body before all are asked for
    world.begin_count()
    model.looks = model.bodies_looked_at = 0
    sync_in_peace(world, model, when)
    few = FEW_REQUESTS if world.counts else 2 * FEW_REQUESTS
    full_scans = MOST_FULL_SCANS if changes else 1
    asked = world.asked.requests - model.looks
    assert asked <= full_scans * (world.pages() + few) + wanted, when
    if not wanted and not is_first:
        assert world.asked.bodies == model.bodies_looked_at, when


@pytest.mark.parametrize("outage", few(get_args(Outage), 3))
@pytest.mark.parametrize("chunk", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_an_outage_is_never_taken_for_deletions(outage: Outage, chunk: int) -> None:
    live_through_an_outage(outage, range(chunk, SEEDS_OF_OUTAGES, 2))


@pytest.mark.long
@pytest.mark.parametrize("outage", get_args(Outage))
def test_an_outage_is_never_taken_for_deletions_in_many_worlds(outage: Outage) -> None:
    live_through_an_outage(outage, range(SEEDS_OF_OUTAGES, SEEDS_OF_MANY_OUTAGES))


def live_through_an_outage(outage: Outage, seeds: Iterable[int]) -> None:
    for seed in seeds:
        when = f"seed {seed}, {outage}"
        random = Random(seed)
        world, model = World(seed, orders=random.randint(5, 120)), Model()
        sync_in_peace(world, model, when)
        for mutation in ("delete", "bump", "delete"):
            world.mutate(mutation)
        world.begin_count()
        world.outage = outage
        world.answers_before_outage = random.choice((0, 0, random.randrange(world.pages())))

        if not is_refused_or_doubted(world, model):  # whoever was not listed was asked for
            assert_exact(world, model, set(world.orders), when)
        assert_no_false_delete(world, model, when)

        world.outage = None
        sync_in_peace(world, model, when)


def is_refused_or_doubted(world: World, model: Model) -> bool:
    try:
        return bool(model.sync(world).doubts.sentences())
    except ServiceError:
        return True


def test_deletions_in_great_number_are_asked_for_one_by_one() -> None:
    world, model = World(1, orders=120, fault_share=0.0), Model()
    sync_in_peace(world, model, "first run")
    for _ in range(MOST_DELETED):
        world.mutate("delete")
    world.begin_count()

    sync_in_peace(world, model, "second run")

    assert model.deleted == world.deleted
    assert world.asked.records >= MOST_DELETED
