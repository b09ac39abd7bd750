"""Publish: versions for BI: written beside, put in force at once, removed when nobody reads them.

In:  marts and reports of a warehouse.
Out: a folder or bucket of versions, and `current.json`.
Knows nothing of how the marts came about.
Begin with `publisher`.
"""

from wholesale_elt.publish.publisher import Published, publish_marts, republish_marts
from wholesale_elt.publish.site import find_site, has_browser, open_site

__all__ = ["Published", "find_site", "has_browser", "open_site", "publish_marts", "republish_marts"]
