"""Pages: the registry that the site, its data files and the lineage are made from.

In:  the reports of the dbt project, by name.
Out: pages with their tiles, columns and words.
Knows nothing of the rows, or of how they are drawn.
Begin with `overview`.
"""

from collections.abc import Sequence

from wholesale_elt.dashboard.page import DashboardPage
from wholesale_elt.dashboard.pages.buyers import BUYERS
from wholesale_elt.dashboard.pages.catalogue import CATALOGUE
from wholesale_elt.dashboard.pages.chase import CHASE
from wholesale_elt.dashboard.pages.definitions import DEFINITIONS
from wholesale_elt.dashboard.pages.health import HEALTH
from wholesale_elt.dashboard.pages.months import MONTHS
from wholesale_elt.dashboard.pages.overview import OVERVIEW
from wholesale_elt.dashboard.pages.vendors import VENDORS

__all__ = ["PAGES"]

PAGES: Sequence[DashboardPage] = (
    *(OVERVIEW, VENDORS, BUYERS, CATALOGUE, CHASE, MONTHS),
    *(HEALTH, DEFINITIONS),
)
"""The pages in the order of the site's navigation; the first one is the front page."""
