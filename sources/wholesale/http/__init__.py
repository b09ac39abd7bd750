"""Http: a path in, the bytes of its answer out, patiently and within bounds.

In:  settings, a path and its parameters.
Out: decoded bodies, or an error of `wholesale.errors`; what it took is counted in `Traffic`.
Knows nothing of pages, records, or anything of what a body holds.
Begin with `client`.
"""

from wholesale.http.client import Client
from wholesale.http.traffic import Traffic

__all__ = ["Client", "Traffic"]
