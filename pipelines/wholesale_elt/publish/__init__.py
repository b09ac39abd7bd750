"""Publish: versions for BI, put in force atomically, and removed when nobody reads them.

In:  marts and reports of a warehouse; of a part alone they are built for it.
Out: a folder or bucket of versions, and `current.json`.
Knows nothing of how the marts are built.
Begin with `publisher`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.publish.comparison import Comparison
    from wholesale_elt.publish.description import (
        DescribedColumn,
        DescribedTable,
        digest_of_table,
        rows_of_table,
    )
    from wholesale_elt.publish.figures import PublishedFigures, ask_published, describe_figures
    from wholesale_elt.publish.folder import Folder, link
    from wholesale_elt.publish.manifest import (
        CONTRACTS,
        CURRENT,
        DASHBOARD,
        DATABASE,
        ENTRY,
        MANIFEST,
        Build,
        Document,
        Facts,
        File,
        Manifest,
        Pruned,
        PublishedTable,
        describe_file,
        outdated,
        source_of,
    )
    from wholesale_elt.publish.pins import pin_version, pins_in, unpin_versions
    from wholesale_elt.publish.places import noted_places, whole_place
    from wholesale_elt.publish.publisher import (
        Addition,
        Published,
        is_published,
        publish_marts,
        republish_marts,
        require_place,
    )
    from wholesale_elt.publish.site import (
        CURRENT_VERSION,
        PREVIOUS,
        NotKept,
        NotPublished,
        Site,
        find_moment,
        find_site,
        find_version,
        has_browser,
        kept_versions,
        open_site,
        site_as_of,
    )
    from wholesale_elt.publish.store import folder_at, published_in
    from wholesale_elt.publish.tables import attach_new
    from wholesale_elt.publish.version import (
        PUBLISHED,
        describe_site,
        iso_time,
        name_of_version,
        opened,
        plain_part,
        software,
    )
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "CONTRACTS",
    "CURRENT",
    "CURRENT_VERSION",
    "DASHBOARD",
    "DATABASE",
    "ENTRY",
    "MANIFEST",
    "PREVIOUS",
    "PUBLISHED",
    "Addition",
    "Build",
    "Comparison",
    "DescribedColumn",
    "DescribedTable",
    "Document",
    "Facts",
    "File",
    "Folder",
    "Manifest",
    "NotKept",
    "NotPublished",
    "Pruned",
    "Published",
    "PublishedFigures",
    "PublishedTable",
    "Site",
    "ask_published",
    "attach_new",
    "describe_figures",
    "describe_file",
    "describe_site",
    "digest_of_table",
    "find_moment",
    "find_site",
    "find_version",
    "folder_at",
    "has_browser",
    "is_published",
    "iso_time",
    "kept_versions",
    "link",
    "name_of_version",
    "noted_places",
    "open_site",
    "opened",
    "outdated",
    "pin_version",
    "pins_in",
    "plain_part",
    "publish_marts",
    "published_in",
    "republish_marts",
    "require_place",
    "rows_of_table",
    "site_as_of",
    "software",
    "source_of",
    "unpin_versions",
    "whole_place",
]
