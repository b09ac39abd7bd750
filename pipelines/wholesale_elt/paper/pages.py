"""Pages: a PDF from a template of Typst and its data. The same data are the same bytes."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from wholesale_elt.process import import_extra

FONTS = Path(__file__).parent / "fonts"
TOLD = "told"
"""What templates find their data as: `sys.inputs.told`, in JSON, so that no text is markup."""


def pdf_of(template: Path, told: object) -> bytes:
    """The pages. Text in a script of which this machine has no letters shows boxes there.

    Raises: ConfigurationError naming the extra, where Typst is not installed.
    """
    data = msgspec.json.encode(told).decode()
    return bytes(_compiler(template).compile(format="pdf", sys_inputs={TOLD: data}))


@cache
def _compiler(template: Path) -> Any:
    """Fonts are looked for once: a thousand statements take a third of the time."""
    typst = import_extra("typst", "letters")
    return typst.Compiler(str(template), font_paths=[str(FONTS)])
