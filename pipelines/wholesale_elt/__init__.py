"""The command line, and everything behind it: loading, models, publication, monitoring."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wholesale_elt.load import wholesale_pipeline

__all__ = ["wholesale_pipeline"]


def __getattr__(name: str) -> Any:
    """Load the pipeline, and dlt with it, only when it is asked for."""
    if name in __all__:
        from wholesale_elt import load

        return getattr(load, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Names that notebooks and shells complete, those that are not loaded yet among them."""
    return sorted({*globals(), *__all__})
