"""Http: a path in, the bytes of its answer out, patiently and within bounds.

In:  settings, a path and its parameters.
Out: decoded bodies, or an error of `wholesale.errors`; what it took is counted in `Traffic`.
Knows nothing of pages, records, or anything of what a body holds.
Begin with `client`.
"""

from typing import TYPE_CHECKING, Any

from wholesale.http.traffic import Traffic

if TYPE_CHECKING:
    from wholesale.http.client import Client

__all__ = ["Client", "Traffic"]


def __getattr__(name: str) -> Any:
    """Load the client, and httpx with it, only when it is asked for: who builds and publishes
    knows no more of it than its types."""
    if name == "Client":
        from wholesale.http import client

        return client.Client
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
