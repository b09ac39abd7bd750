"""What is learned of a list is what its reading showed, and it is begun with."""

from support.records.lists import Lists, numbered
from wholesale.json.page import Page
from wholesale.pages.pagination import Paginator
from wholesale.pages.profile import Profile


def read(*pages: Page) -> Paginator:
    paginator = Paginator()
    for page in pages:
        paginator.see(page)
    return paginator


def page(count: int, first: int = 0) -> Page:
    records = ",".join(f'{{"id":"{first + number}"}}' for number in range(count))
    return Page.of(f"[{records}]".encode())


def test_a_page_size_is_a_cap_where_more_was_asked_for_and_more_came() -> None:
    capped = read(page(5), page(5, first=5))

    assert Profile().after(capped, 10, "other") == Profile(page_cap=5, list_order="other")
    assert Profile(page_cap=5).after(capped, 5, None) == Profile()
    assert Profile(page_cap=7).after(capped, 5, None) == Profile(page_cap=7)
    assert Profile().after(read(page(5)), 10, None) == Profile(), "it is all there is"


def test_a_page_that_is_refused_behind_full_ones_is_a_window() -> None:
    full = read(page(5), page(5, first=5))
    full.refuse()
    short = read(page(5), page(3, first=5))
    short.refuse()

    assert (full.window, full.fault) == (10, "page 3 is refused")
    assert (short.window, short.fault) == (None, None)
    assert Profile().after(full, 5, None).list_window == 10


def test_totals_and_order_are_of_use_until_they_are_found_to_be_none() -> None:
    assert Profile().may_count
    assert Profile(totals="right").may_count
    assert not Profile(totals="wrong").may_count
    assert not Profile(totals="missing").may_count

    assert Profile().may_stop_early
    assert Profile(list_order="newest first").may_stop_early
    assert not Profile(list_order="oldest first").may_stop_early
    assert not Profile(list_order="other").may_stop_early


def test_a_service_is_asked_as_it_was_found_to_accept() -> None:
    service = Lists({"/vendors": numbered(3)}).service(page_size=10)

    service.recall(Profile(page_limit=4, requests_a_minute=120))

    assert service.paging.limit == 4
    assert service.learned(Profile()) == Profile(first_page=1, page_limit=4, requests_a_minute=120)


def test_a_limit_above_the_setting_changes_nothing() -> None:
    service = Lists({}).service(page_size=10)

    service.recall(Profile(page_limit=50))

    assert service.learned(Profile()) == Profile(first_page=1)
