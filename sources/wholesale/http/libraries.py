"""Libraries: httpx and httpcore, or where they are not installed, httpx2 and httpcore2.

The second pair has the names of the first. Whatever else speaks HTTP takes them from here.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpcore
    import httpx
else:
    try:
        import httpcore
        import httpx
    except ModuleNotFoundError:
        import httpcore2 as httpcore
        import httpx2 as httpx

__all__ = ["httpcore", "httpx"]
