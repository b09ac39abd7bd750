"""Http: a path in, the bytes of its response out, with retries, a rate limit and a deadline.

In:  settings, a path and its parameters.
Out: decoded bodies, or an error of `wholesale.errors`; `Traffic` counts requests and bytes.
Knows nothing of pages or records, or of what a body holds.
Begin with `client`.
"""

from wholesale.http.client import Client
from wholesale.http.libraries import httpcore, httpx
from wholesale.http.limiter import Limiter
from wholesale.http.traffic import Traffic

__all__ = ["Client", "Limiter", "Traffic", "httpcore", "httpx"]
