"""Custom fields are defined before the first order, each with a kind that a body may name."""

from datetime import date

from support.records.seeded import moment
from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.world.calendar import Calendar
from wholesale_sandbox.world.custom_fields import make_custom_fields

CALENDAR = Calendar(1, 100, date(2026, 7, 1))
KIND = RESOURCE["custom_fields"].field("kind")


def test_a_custom_field_has_the_fields_and_kinds_of_its_resource() -> None:
    made = make_custom_fields(1, CALENDAR)

    names = [field.name for field in RESOURCE["custom_fields"].fields]
    assert [list(record) for record in made] == [names] * 6
    assert KIND
    assert {record["kind"] for record in made} == set(KIND.allowed)
    assert {record["applies_to"] for record in made} <= RESOURCE.keys()


def test_a_custom_field_is_there_before_the_first_order_and_changed_after_its_creation() -> None:
    for record in make_custom_fields(1, CALENDAR):
        created_at, updated_at = moment(record["created_at"]), moment(record["updated_at"])
        assert created_at < CALENDAR.start
        assert created_at <= updated_at < CALENDAR.end


def test_a_seed_makes_the_same_custom_fields_and_another_one_others() -> None:
    first, second = make_custom_fields(1, CALENDAR), make_custom_fields(2, CALENDAR)

    assert make_custom_fields(1, CALENDAR) == first
    assert [record["name"] for record in second] == [record["name"] for record in first]
    assert {record["id"] for record in second}.isdisjoint(record["id"] for record in first)
