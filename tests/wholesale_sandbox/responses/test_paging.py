"""Pages are asked for by number and limit, and come in the envelope of §2.3."""

import pytest

from wholesale_sandbox.responses.paging import PageRequest, page_asked, window_of
from wholesale_sandbox.responses.response import Refused


def asked(**query: str) -> PageRequest:
    return page_asked(query, default_limit=25, cap=250)


def test_nothing_asked_is_the_first_page_of_the_default_limit() -> None:
    assert asked() == PageRequest(1, 25)
    assert asked(page="3", limit="10") == PageRequest(3, 10)
    assert asked(page="3", limit="10").offset == 20


def test_a_limit_above_the_cap_is_lowered_to_it() -> None:
    assert asked(limit="250") == PageRequest(1, 250)
    assert asked(limit="251") == PageRequest(1, 250)
    assert asked(limit="2147483647") == PageRequest(1, 250)


@pytest.mark.parametrize(
    "text", ["0", "-1", "", "1.0", "two", " 1", "+1", "1e2", "2147483648", "9" * 40, "٣"]
)
@pytest.mark.parametrize("name", ["page", "limit"])
def test_what_is_no_positive_int32_is_refused(name: str, text: str) -> None:
    with pytest.raises(Refused) as refused:
        asked(**{name: text})

    assert refused.value.response.status == 422
    assert name in str(refused.value)


@pytest.mark.parametrize(
    ("page", "total", "previous", "following", "pages"),
    [
        (PageRequest(1, 10), 0, None, None, 0),
        (PageRequest(1, 10), 10, None, None, 1),
        (PageRequest(1, 10), 11, None, 2, 2),
        (PageRequest(2, 10), 11, 1, None, 2),
        (PageRequest(2, 10), 25, 1, 3, 3),
        (PageRequest(7, 10), 25, 6, None, 3),
    ],
)
def test_pagination_tells_where_a_page_stands(
    page: PageRequest, total: int, previous: int | None, following: int | None, pages: int
) -> None:
    assert window_of(page, total).pagination() == {
        "current": page.number,
        "previous": previous,
        "next": following,
        "limit": page.limit,
        "total_pages": pages,
        "total_count": total,
    }


def test_pages_may_be_counted_from_0() -> None:
    page = page_asked({"limit": "10"}, default_limit=25, cap=250, first=0)
    last = page_asked({"page": "2", "limit": "10"}, default_limit=25, cap=250, first=0)

    assert (page, page.offset) == (PageRequest(0, 10, first=0), 0)
    assert (last.offset, window_of(last, 25).pagination()) == (
        20,
        {
            "current": 2,
            "previous": 1,
            "next": None,
            "limit": 10,
            "total_pages": 3,
            "total_count": 25,
        },
    )


def test_a_limit_above_a_strict_cap_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        page_asked({"limit": "41"}, default_limit=25, cap=40, above_cap="refused")

    assert (refused.value.response.status, "limit must not be above 40" in str(refused.value)) == (
        422,
        True,
    )
    assert page_asked({"limit": "40"}, default_limit=25, cap=40, above_cap="refused").limit == 40


def test_pages_above_the_cap_may_begin_where_shorter_ones_do() -> None:
    query = {"page": "3", "limit": "50"}
    page = page_asked(query, default_limit=25, cap=40, above_cap="misplaced")

    assert (page.offset, page.limit, window_of(page, 120).pages) == (80, 50, 3)


def test_pages_above_the_cap_may_leave_out_what_stands_between_them() -> None:
    query = {"page": "3", "limit": "50"}
    page = page_asked(query, default_limit=25, cap=40, above_cap="gapped")

    assert (page.offset, page.limit) == (100, 40)
