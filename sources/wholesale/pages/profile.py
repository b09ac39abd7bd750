"""Profile: what the list of one resource is like, as runs found it, so that the next one knows."""

from dataclasses import dataclass, replace
from typing import Literal, Self

from wholesale.pages.pagination import Paginator

Totals = Literal["right", "wrong", "missing"]
"""Whether a list counts its records as they come."""
Order = Literal["newest first", "oldest first", "other"]
"""In which order a list shows the versions of its records."""


@dataclass(frozen=True, slots=True)
class Profile:
    """None, or nothing, stands wherever no run could tell; the description promises none of it.

    `first_page` is the number of the first page (§2.3); `page_limit` a limit that the service
    accepts where it refuses a higher one, `page_cap` the most records that a page brought where
    more were asked for (§8). `list_window` is how many records are shown, where pages behind them
    are refused. At `requests_a_minute` the service refused no more.
    """

    first_page: int | None = None
    page_limit: int | None = None
    page_cap: int | None = None
    totals: Totals | None = None
    list_window: int | None = None
    list_order: Order | None = None
    requests_a_minute: int | None = None

    @property
    def may_count(self) -> bool:
        """Whether what the list counts may be of use."""
        return self.totals in (None, "right")

    @property
    def may_stop_early(self) -> bool:
        """Whether the head of the list may be all that is new."""
        return self.list_order in (None, "newest first")

    def after(self, paginator: Paginator, limit: int, order: Order | None) -> Self:
        """The same after one more reading of the whole list, in pages of `limit` records."""
        is_capped = paginator.pages > 1 and paginator.fullest < limit
        return replace(
            self,
            page_cap=paginator.fullest if is_capped else None,
            list_window=paginator.window,
            list_order=order,
        )
