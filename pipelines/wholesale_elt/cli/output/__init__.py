"""Output: what commands print, for people and for programs.

In:  results of jobs and inspections, progress.
Out: lines of text, bars, JSON objects, on standard output and standard error.
Knows nothing of options, or of how work is done.
Begin with `consoles`.
"""

from wholesale_elt.cli.output.consoles import Output, close_output, say

__all__ = ["Output", "close_output", "say"]
