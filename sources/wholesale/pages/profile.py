"""Profile: what earlier runs learned about the list of one resource, for the next run."""

from dataclasses import dataclass, replace
from typing import Literal, Self

from wholesale.pages.pagination import Paginator

Totals = Literal["right", "wrong", "missing"]
"""Whether a list counts its records as they come."""
Order = Literal["newest first", "oldest first", "other"]
"""In which order a list shows the versions of its records."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a list; None where no run could tell, as the description promises nothing.

    - `first_page`: the number of the first page (§2.3).
    - `page_limit`: the highest limit that the service accepts, if it refused a higher one (§8).
    - `page_cap`: the most records on a page, if more were asked for (§8).
    - `totals`: whether what the list counts is right.
    - `list_window`: how many records the list shows, if it refuses the pages behind these.
    - `list_order`: in which order it shows its records.
    - `requests_a_minute`: the rate at which the service refused no request.
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
        """Whether the totals of the list may be relied on."""
        return self.totals in (None, "right")

    @property
    def may_stop_early(self) -> bool:
        """Whether everything new may stand on the first pages of the list."""
        return self.list_order in (None, "newest first")

    def after(self, paginator: Paginator, limit: int, order: Order | None) -> Self:
        """The profile after one more reading of the whole list, in pages of `limit` records."""
        page_cap = None
        if paginator.filled > 1 and paginator.fullest < limit:
            page_cap = paginator.fullest
        elif self.page_cap is not None and limit < self.page_cap:
            page_cap = self.page_cap  # such pages are too small to tell
        return replace(
            self,
            page_cap=page_cap,
            list_window=paginator.window,
            list_order=order,
        )
