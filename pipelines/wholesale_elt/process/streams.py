"""Standard streams: those that were closed when the process was started are opened to nowhere.

Otherwise the next files that are opened would get their numbers, and what any library writes to
standard error would end up in the warehouse.
"""

import os
import sys


def open_standard_streams() -> None:
    """Open those of standard input, output and error that are closed, before any other file."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)  # it gets the lowest free number
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, closefd=False))
