"""Standard streams: what is written to them neither fails a command nor ends up elsewhere.

Those that were closed when the process was started are opened to nowhere: otherwise the next files
that are opened would get their numbers, and what any library writes to standard error would end up
in the warehouse. Characters that the terminal cannot show are escaped.
"""

import io
import os
import sys


def open_standard_streams() -> None:
    """Open those of standard input, output and error that are closed, before any other file, and
    let the last two take any text."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)  # it gets the lowest free number
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
