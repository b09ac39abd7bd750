"""Standard streams: those that a process was started without lead nowhere.

Else their numbers go to the next files that are opened, and what any library writes to standard
error ends up in the warehouse.
"""

import os
import sys


def open_standard_streams() -> None:
    """Open those of standard input, output and error that are closed, before any other file."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is theirs
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, closefd=False))
