"""Whatever a service does while it is read, what is stored stays true, or the run says so.

Each seed is a service with habits of its own (see `worlds`), synced several times while it
drifts, then left in peace. Two exceptions are known and must be so:

- A record that is not stored yet can slip through every pass when others are deleted and
  inserted at once around it, so that no count moves. No client of page and limit can tell; the
  next quiet run brings it. Such cases are counted, and their share is bounded.
- More missing records than deletions explain are not asked for (the brake), so a run that says
  this has not looked at them. Reading in full believes them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any, get_args

import pytest

from support.model import COMMENTS, LINES, NUMBER, Model, Row
from support.worlds import QUIET, Outage, World
from wholesale.errors import ServiceError
from wholesale.sync.reader import Reader

CHUNKS = 20
SEEDS_A_CHUNK = 50
SEEDS_OF_OUTAGES = 25
SHARE_OF_UNTOLD_MISSES = 0.005
FEW_REQUESTS = 10
SUSPECTS_THAT_BRAKE = 50


@dataclass(slots=True)
class Tally:
    """Runs under drift, by what came of them."""

    runs: int = 0
    certified: int = 0
    missed: int = 0
    missed_untold: int = 0
    braked: int = 0
    killed: int = 0


@pytest.fixture(scope="module")
def tally() -> Iterator[Tally]:
    tally = Tally()
    yield tally
    assert tally.missed_untold <= max(1, tally.runs * SHARE_OF_UNTOLD_MISSES), tally


def expected(world: World, key: str) -> tuple[Row, list[Row], list[Row]]:
    """The order as the service has it now: its row, lines and comments."""
    order = world.orders[key]

    def row(fields: dict[str, Any]) -> Row:
        exact = {k: Decimal(str(v)) if isinstance(v, float) else v for k, v in fields.items()}
        return {k: v for k, v in exact.items() if v is not None}

    def rows(table: str, entries: list[dict[str, Any]]) -> list[Row]:
        return [
            {"order_id": key, NUMBER[table]: number, **row(entry)}
            for number, entry in enumerate(entries, start=1)
        ]

    return row(order.fields), rows(LINES, order.lines), rows(COMMENTS, order.comments)


def held(model: Model, key: str) -> tuple[Row, list[Row], list[Row]]:
    lines, comments = (model.children[table].get(key, []) for table in (LINES, COMMENTS))
    return model.rows[key], lines, comments


def assert_exact(world: World, model: Model, keys: set[str], when: str) -> None:
    for key in sorted(keys):
        assert key in model.rows, f"{when}: {key} is missing"
        assert key not in model.deleted, f"{when}: {key} is marked although it exists"
        assert held(model, key) == expected(world, key), f"{when}: {key} is not as it is"


def assert_no_false_delete(world: World, model: Model, when: str) -> None:
    assert model.deleted <= world.deleted, f"{when}: marked although they exist"


def is_braked(reader: Reader) -> bool:
    return bool(reader.report.faults)


def sync_under_drift(
    world: World, model: Model, tally: Tally, when: str, *, killed_after: int | None = None
) -> None:
    stored, moment = set(model.rows), world.moment
    reader = model.sync(world, killed_after=killed_after)
    still = world.stood_still_since(moment)
    doubts = reader.report.doubts()
    tally.runs += 1
    tally.certified += not doubts
    assert set(reader.gone) <= world.deleted, f"{when}: 404 of what exists"
    assert_no_false_delete(world, model, when)
    if killed_after is not None:
        tally.killed += 1
        return
    if is_braked(reader):
        tally.braked += 1
    else:
        assert_exact(world, model, still & stored, when)
    if missed := still - stored - model.rows.keys():
        tally.missed += 1
        tally.missed_untold += not doubts
    assert_exact(world, model, still - stored - missed, when)


def sync_in_peace(world: World, model: Model, when: str) -> Reader:
    """A run during which nothing changes: it is certified, and brings everything."""
    unmarked = (model.rows.keys() - model.deleted) & world.deleted
    world.drift = QUIET
    reader = model.sync(world)
    if is_braked(reader):
        is_right = len(unmarked) > SUSPECTS_THAT_BRAKE or not world.orders
        assert is_right, f"{when}: {reader.report.doubts()}"
        reader = model.sync(world, is_full=True)
    assert reader.report.doubts() == [], when
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


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_stored_is_what_the_service_has(chunk: int, tally: Tally) -> None:
    for seed in range(chunk * SEEDS_A_CHUNK, (chunk + 1) * SEEDS_A_CHUNK):
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
    sync_in_peace(world, model, when)
    assert world.asked.requests <= world.pages() + wanted + FEW_REQUESTS, when
    if not wanted and not is_first:
        assert world.asked.bodies == 0, when


@pytest.mark.parametrize("outage", get_args(Outage))
def test_an_outage_is_never_taken_for_deletions(outage: Outage) -> None:
    for seed in range(SEEDS_OF_OUTAGES):
        when = f"seed {seed}, {outage}"
        random = Random(seed)
        world, model = World(seed, orders=random.randint(5, 120)), Model()
        sync_in_peace(world, model, when)
        for mutation in ("delete", "bump", "delete"):
            world.mutate(mutation)
        world.begin_count()
        world.outage = outage
        world.answers_before_outage = random.choice((0, 0, random.randrange(world.pages())))

        assert is_refused_or_doubted(world, model), when
        assert_no_false_delete(world, model, when)
        if world.answers_before_outage == 0:
            assert model.deleted == set(), when

        world.outage = None
        sync_in_peace(world, model, when)


def is_refused_or_doubted(world: World, model: Model) -> bool:
    try:
        return bool(model.sync(world).report.doubts())
    except ServiceError:
        return True


def test_deletions_in_great_number_are_believed_only_in_a_full_run() -> None:
    world, model = World(1, orders=120, fault_share=0.0), Model()
    sync_in_peace(world, model, "first run")
    for _ in range(SUSPECTS_THAT_BRAKE + 10):
        world.mutate("delete")
    world.begin_count()

    reader = model.sync(world)

    assert is_braked(reader)
    assert reader.report.doubts() != []
    assert model.deleted == set()
    assert world.asked.records == 0
    assert model.sync(world, is_full=True).report.doubts() == []
    assert model.deleted == world.deleted
