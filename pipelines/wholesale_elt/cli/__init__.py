"""Command line: the commands of `wholesale`, and what they print.

In:  arguments and options.
Out: text, JSON and exit codes; for commands of plug-ins, what all commands have in common.
Knows nothing of how work is done: it calls the packages before it.
Begin with `main`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.cli.boundary import (
        LOADED,
        attempt,
        begin,
        end,
        error_boundary,
        fail,
        warehouse_boundary,
    )
    from wholesale_elt.cli.options import (
        DEFAULT_KEEP,
        DEFAULT_PUBLISHED,
        Decorator,
        all_of,
        json_option,
        published_option,
    )
    from wholesale_elt.cli.output import Exit, Failure, Output, minute, run_lines, say
    from wholesale_elt.cli.output.tables import print_csv, print_rows, shown
    from wholesale_elt.cli.repetition import COMMAND, repeat
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "COMMAND",
    "DEFAULT_KEEP",
    "DEFAULT_PUBLISHED",
    "LOADED",
    "Decorator",
    "Exit",
    "Failure",
    "Output",
    "all_of",
    "attempt",
    "begin",
    "end",
    "error_boundary",
    "fail",
    "json_option",
    "minute",
    "print_csv",
    "print_rows",
    "published_option",
    "repeat",
    "run_lines",
    "say",
    "shown",
    "warehouse_boundary",
]
