"""Libraries: httpx and httpcore, or httpx2 and httpcore2 where only those are installed."""

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
