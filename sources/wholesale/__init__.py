"""Extractor and dlt source for the wholesale catalog-and-ordering API."""

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wholesale.source import wholesale_source

# dlt reports each run to its vendor unless told not to; who wants that can still say so.
os.environ.setdefault("RUNTIME__DLTHUB_TELEMETRY", "false")

__all__ = ["wholesale_source"]


def __getattr__(name: str) -> Any:
    """Load the source, and dlt with it, only when it is asked for."""
    if name in __all__:
        from wholesale import source

        return getattr(source, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Names that notebooks and shells complete, those that are not loaded yet among them."""
    return sorted({*globals(), *__all__})
