"""What has been loaded, asked from Python; and the command line, and everything behind it."""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.answers import Answer, Published
    from wholesale_elt.load import wholesale_pipeline
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["Answer", "Published", "wholesale_pipeline"]


def __dir__() -> list[str]:
    """Names that notebooks and shells complete, those that are not loaded yet among them."""
    return sorted({*globals(), *__all__})
