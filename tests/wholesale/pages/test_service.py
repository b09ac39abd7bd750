"""The service of a run asks for as many records a page as the settings and its profile allow."""

import pytest

from support.services.paged import Paged
from wholesale.api.profile import ServiceFacts, ServiceProfile
from wholesale.api.resources import RESOURCE
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings


@pytest.mark.parametrize(
    ("known", "full", "in_short"),
    [
        (ServiceProfile(), 10, 10),
        (ServiceProfile(page_size=5), 5, 5),
        (ServiceProfile(page_size=50), 10, 10),
        (ServiceProfile(summary_page_size=50), 10, 50),
        (ServiceProfile(page_size=5, summary_page_size=50), 5, 50),
    ],
)
def test_a_page_has_as_many_records_as_may_be_asked_for(
    known: ServiceProfile, full: int, in_short: int
) -> None:
    service = Paged({}).service(known)

    assert service.page_size(RESOURCE["orders"]) == full
    assert service.page_size(RESOURCE["orders"], in_short=True) == in_short
    assert service.page_size(RESOURCE["vendors"], in_short=True) == full


def test_names_are_added_to_a_set_and_not_to_one_that_is_set() -> None:
    service = Paged({}).service()
    service.add("lists_in_short", "items")
    service.add("lists_in_short", "buyers")

    assert service.profile.lists_in_short == {"items", "buyers"}
    assert service.profile.origin_of("lists_in_short") == "observed"
    pinned = ServiceFacts(lists_in_short=frozenset())
    service = Paged({}).service(service=pinned)
    service.add("lists_in_short", "items")
    assert service.profile == ServiceProfile.of(pinned)


def test_a_service_begins_with_the_facts_that_its_settings_name() -> None:
    pins = ServiceFacts(summary_page_size=5)
    settings = ApiSettings.of(
        base_url="https://service.test/api/external/v1", api_key="k", service=pins
    )

    assert Service.at(settings).profile == ServiceProfile.of(pins)
