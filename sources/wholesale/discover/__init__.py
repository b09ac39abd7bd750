"""Discover: looks at a service once, and finds out what the description leaves open.

In:  a `Service` at the first contact, or after a run that contradicted its profile.
Out: the same service with a `ServiceProfile` of what it showed, in about forty requests.
Knows nothing of the destination; what comes after notes single facts at most.
Begin with `service`.
"""

from wholesale.discover.lists import discover_list
from wholesale.discover.service import discover_service

__all__ = ["discover_list", "discover_service"]
