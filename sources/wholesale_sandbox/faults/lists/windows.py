"""Windows: pages that overlap, fall short, are empty, or hold what belongs elsewhere."""

from dataclasses import replace
from itertools import accumulate
from random import Random

from wholesale_sandbox.faults.fault import Case, WindowFault
from wholesale_sandbox.responses import Refused, Window, error, window_of

LISTED = 500
"""Records of a list that is cut off, unless a rule names another number."""

NEIGHBOURS = 8


def page_of(window: Window, number: int) -> Window:
    """The window of another page of the same list."""
    page = replace(window.page, number=number)
    return replace(window, page=page, offset=page.offset, count=page.limit, places=None)


def _first_always(window: Window, case: Case) -> Window:
    return page_of(window, window.page.first)


def uneven(window: Window, divisors: tuple[int, ...]) -> Window:
    """Pages that hold limit // divisor records (0: none), the divisors over and over again.

    Every record stands on one page, and `total_pages` is right.
    """
    limit, page = window.page.limit, window.page
    sizes = [limit // divisor if divisor else 0 for divisor in divisors]
    starts = list(accumulate(sizes, initial=0))
    cycle = starts.pop()
    rounds, place = divmod(page.number - page.first, len(sizes))
    whole_rounds, rest = divmod(window.total, cycle)
    pages = whole_rounds * len(sizes) + sum(start < rest for start in starts)
    return replace(window, pages=pages, offset=rounds * cycle + starts[place], count=sizes[place])


def _cut_off(window: Window, case: Case) -> Window:
    total = min(window.total, case.number or LISTED)
    count = min(window.count, max(total - window.offset, 0))
    return replace(window_of(window.page, total), count=count)


def _none_listed(window: Window, case: Case) -> Window:
    return replace(window_of(window.page, 0), count=0)


def _alone(window: Window, case: Case) -> Window:
    on_page = range(window.total)[window.offset : window.offset + window.count]
    return replace(window, total=len(on_page), pages=1)


def _at_random(window: Window, case: Case) -> Window:
    """Any records of the list, none of them twice on the page."""
    standing = range(window.total)[window.offset : window.offset + window.count]
    return replace(window, places=case.chance.sample(range(window.total), len(standing)))


def _unstable(window: Window, case: Case) -> Window:
    """The list with the neighbours of each block in another order, as a sort by day leaves them."""
    size, draw = case.number or NEIGHBOURS, case.chance.getrandbits(64)

    def place(standing: int) -> int:
        block = standing // size
        neighbours = list(range(block * size, min((block + 1) * size, window.total)))
        Random(f"{draw}/{block}").shuffle(neighbours)
        return neighbours[standing % size]

    standing = range(window.total)[window.offset : window.offset + window.count]
    return replace(window, places=[place(number) for number in standing])


def _empty_refused(window: Window, case: Case) -> Window:
    if not window.total:
        raise Refused(error(404))
    return window


WINDOW_FAULTS: tuple[WindowFault, ...] = (
    WindowFault("page-one-always", "page one, whatever page is asked for", _first_always),
    WindowFault(
        "short-pages",
        "every third page holds half of the limit, in the middle too",
        lambda window, case: uneven(window, (1, 2, 1)),
    ),
    WindowFault(
        "empty-pages",
        "every third page is empty, in the middle too",
        lambda window, case: uneven(window, (1, 0, 1)),
    ),
    WindowFault(
        "empty-page",
        "a page without records, its pagination right",
        lambda window, case: replace(window, count=0),
    ),
    WindowFault("empty-list", "a list that says it has no records", _none_listed),
    WindowFault(
        "list-cut-off",
        f"the first `number` ({LISTED}) records of a list, as if they were all",
        _cut_off,
    ),
    WindowFault(
        "list-of-another",
        "the list of another parent in the place of that of a parent",
        lambda window, case: replace(window, is_of_another=True),
    ),
    WindowFault(
        "page-as-list",
        "each page counts itself alone, and says that it is the only one",
        _alone,
    ),
    WindowFault("random-pages", "each page holds any records of the list", _at_random),
    WindowFault(
        "unstable-order",
        f"`number` ({NEIGHBOURS}) neighbours each stand in another order at each request",
        _unstable,
    ),
    WindowFault("empty-404", "404 for a list without records", _empty_refused),
)
