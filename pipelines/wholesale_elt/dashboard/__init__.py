"""Dashboard: a static site of what is published.

In:  the reports of a version.
Out: HTML, JavaScript and data files that open from a disk.
Knows nothing of the warehouse or the service.
Begin with `writing`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.dashboard.columnar import Json, read_objects
    from wholesale_elt.dashboard.entry import NOTHING, Markup, count_text, money_text, time_text
    from wholesale_elt.dashboard.news import events_of
    from wholesale_elt.dashboard.pages import PAGES
    from wholesale_elt.dashboard.scripts import write_script
    from wholesale_elt.dashboard.sentences import (
        SENTENCES,
        Age,
        Formats,
        Line,
        Said,
        Words,
        address,
        lines_of,
        new_since,
        notices_of,
        plain,
        read_owed,
    )
    from wholesale_elt.dashboard.settings import read_settings, written_settings
    from wholesale_elt.dashboard.tasks import WITHOUT_SUM, count_stateless, tasks_of
    from wholesale_elt.dashboard.writing import (
        ENTRIES,
        LATEST,
        SITE,
        read_meta,
        write_dashboard,
        write_entries,
        write_pages,
    )
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "ENTRIES",
    "LATEST",
    "NOTHING",
    "PAGES",
    "SENTENCES",
    "SITE",
    "WITHOUT_SUM",
    "Age",
    "Formats",
    "Json",
    "Line",
    "Markup",
    "Said",
    "Words",
    "address",
    "count_stateless",
    "count_text",
    "events_of",
    "lines_of",
    "money_text",
    "new_since",
    "notices_of",
    "plain",
    "read_meta",
    "read_objects",
    "read_owed",
    "read_settings",
    "tasks_of",
    "time_text",
    "write_dashboard",
    "write_entries",
    "write_pages",
    "write_script",
    "written_settings",
]
