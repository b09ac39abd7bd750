"""Each fact of a service has a ground and an origin, and what the user has set stands."""

import re
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from support.documents.described import describe
from support.paths import ROOT
from wholesale.api.profile import (
    Origin,
    ServiceFacts,
    ServiceProfile,
    ground_of,
    names_a_fact,
    setting_of,
)

FACTS: dict[str, Any] = {
    "first_page": 0,
    "page_size": 50,
    "summary_page_size": 250,
    "lists_not_paged": frozenset({"brands"}),
    "lists_not_counted": frozenset({"items", "prices"}),
    "lists_in_short": frozenset({"buyers"}),
    "list_only_fields": frozenset({"vendor_name"}),
    "unlike_fields": frozenset({"orders.total"}),
    "basic_form_fields": frozenset({"order_comments"}),
    "empty_lists_left_out": frozenset({"orders__order_comments"}),
    "empty_lists": frozenset({"brands: []"}),
    "most_records": 1_000_000,
    "unreadable_fields": frozenset({"orders.total"}),
    "nested_records": frozenset({"categories.children"}),
    "variants_are_counted": False,
    "newest_change_first": True,
    "time_zone": "Europe/Vienna",
    "requests_a_minute": 60,
}
"""Another value of each fact than its default."""
SECTIONS = re.compile(r"[1-9](\.[1-9][0-9]?)?")
fact = pytest.mark.parametrize("name", FACTS)


def test_every_fact_is_tested() -> None:
    assert FACTS.keys() == ServiceFacts.model_fields.keys()


@fact
def test_a_fact_has_a_ground_a_docstring_and_a_default_that_is_one_of_its_values(
    name: str,
) -> None:
    describe(ServiceFacts)
    field = ServiceFacts.model_fields[name]

    assert SECTIONS.fullmatch(ground_of(name).section)
    assert field.description
    assert field.description.endswith(".")
    default = field.get_default(call_default_factory=True)
    assert getattr(ServiceFacts(**{name: default}), name) == default
    assert default != FACTS[name]


@fact
def test_the_default_of_a_fact_is_documented_or_assumed(name: str) -> None:
    origin = ServiceProfile().origin_of(name)

    assert origin == ("documented" if ground_of(name).is_documented else "assumed")


def test_what_the_description_says_is_told_from_what_is_assumed() -> None:
    documented = {name for name in FACTS if ServiceProfile().origin_of(name) == "documented"}

    assert documented == {"lists_not_counted", "variants_are_counted", "empty_lists"}
    assert get_args(Origin) == ("documented", "assumed", "observed", "set")


@fact
def test_what_the_service_shows_is_observed_also_if_it_is_the_default(name: str) -> None:
    for value in (FACTS[name], getattr(ServiceProfile(), name)):
        profile = ServiceProfile().observing(**{name: value})
        assert (getattr(profile, name), profile.origin_of(name)) == (value, "observed")


@fact
def test_what_is_set_is_never_replaced_by_what_is_observed(name: str) -> None:
    pins = ServiceFacts(**{name: FACTS[name]})
    profile = ServiceProfile.of(pins)

    for seen in (
        profile.observing(**{name: getattr(ServiceProfile(), name)}),
        ServiceProfile.of(pins, ServiceProfile().observing(**{name: None})),
        ServiceProfile.of(pins, profile.forgotten()),
    ):
        assert (getattr(seen, name), seen.origin_of(name)) == (FACTS[name], "set")
        assert seen.pinned == {name}


def test_what_is_set_to_its_default_is_set() -> None:
    profile = ServiceProfile.of(ServiceFacts(first_page=1)).observing(first_page=0)

    assert (profile.first_page, profile.origin_of("first_page")) == (1, "set")


def test_where_a_fact_is_set_no_more_all_is_looked_at_anew() -> None:
    before = ServiceProfile.of(ServiceFacts(page_size=7)).observing(first_page=0)

    assert ServiceProfile.of(ServiceFacts(), before) == ServiceProfile()


def test_what_is_no_fact_is_noted_and_has_no_origin() -> None:
    profile = ServiceProfile().observing(
        fields={"orders": frozenset({"total"})}, lists_seen=frozenset({"orders"})
    )

    assert profile.fields == {"orders": {"total"}}
    assert profile.lists_seen == {"orders"}
    assert not profile.observed


def test_what_is_forgotten_is_all_but_what_only_long_runs_show() -> None:
    known = ServiceProfile(**FACTS).observing(
        **FACTS,
        fields={"orders": frozenset({"total"})},
        lists_seen=frozenset({"orders"}),
        local_times=frozenset({"orders.created_at"}),
    )

    assert known.forgotten() == ServiceProfile(
        newest_change_first=True,
        requests_a_minute=60,
        observed=frozenset({"newest_change_first", "requests_a_minute"}),
        fields=known.fields,
        local_times=known.local_times,
    )
    assert ServiceProfile().forgotten() == ServiceProfile()


def test_a_profile_comes_back_from_json() -> None:
    profile = ServiceProfile.of(ServiceFacts(summary_page_size=5)).observing(
        **FACTS, fields={"orders": frozenset({"total"})}, lists_seen=frozenset({"orders"})
    )

    assert ServiceProfile.model_validate_json(profile.model_dump_json()) == profile


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("first_page", 2),
        ("first_page", -1),
        ("page_size", 0),
        ("summary_page_size", 0),
        ("requests_a_minute", 0),
        ("time_zone", "Europe/Wien"),
        ("time_zone", "localtime"),
        ("lists_in_short", "items"),
        ("newest_change_first", "often"),
        ("no_fact", 1),
    ],
)
def test_a_value_that_no_service_can_have_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError):
        ServiceFacts(**{name: value})  # type: ignore[arg-type]


def test_a_sentence_that_names_the_setting_of_a_fact_is_known() -> None:
    assert setting_of("page_size") == "sources.wholesale.service.page_size"
    assert names_a_fact(f"page 1 is refused ({setting_of('page_size')})")
    assert not names_a_fact("setting sources.wholesale.page_size is unknown")
    with pytest.raises(AssertionError):
        setting_of("fields")


def test_the_readme_says_of_each_fact_how_it_is_found() -> None:
    text = (ROOT / "sources/wholesale/api/README.md").read_text("utf-8")
    rows = text.partition("| Fact | How it is found |")[2].partition("\n\n")[0].splitlines()
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row.split(" | ")[0])}

    assert told == set(ServiceFacts.model_fields)
