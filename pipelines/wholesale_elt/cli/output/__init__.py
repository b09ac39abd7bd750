"""Output: what commands print, for people and for programs, and their exit codes.

In:  results of jobs and inspections, progress.
Out: lines of text, bars, JSON objects, on standard output and standard error; exit codes.
Knows nothing of options, or of how work is done.
Begin with `consoles`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.cli.output.consoles import (
        Output,
        close_output,
        minute,
        run_lines,
        say,
    )
    from wholesale_elt.cli.output.endings import Exit, Failure, stopped
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["Exit", "Failure", "Output", "close_output", "minute", "run_lines", "say", "stopped"]
