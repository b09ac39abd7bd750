"""Standard streams: what is written to them neither fails a command nor ends up elsewhere.

Those that were closed when the process was started are opened to nowhere: otherwise the next files
that are opened would get their numbers, and what any library writes to standard error would end up
in the warehouse. Characters that the terminal cannot show are escaped. What cannot be written, as
to a file on a full disk, fails with the name of the stream.
"""

import io
import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
ENCODING = "utf-8" if os.name == "nt" else None
"""What is written into a file or another program, where that is not as set for the terminal: on
Windows by default in a code page that lacks most letters."""


def open_standard_streams() -> None:
    """Open those of standard input, output and error that are closed, before any other file, and
    let the last two take any text."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)  # it gets the lowest free number
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, closefd=False))
    for stream, name in ((sys.stdout, "standard output"), (sys.stderr, "standard error")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=ENCODING, errors="backslashreplace")
            for method in ("write", "flush"):
                setattr(stream, method, _naming(getattr(stream, method), name))


def _naming(method: Callable[P, T], name: str) -> Callable[P, T]:
    """The same method of a stream, whose errors name the stream as those of a file name it."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except OSError as error:
            error.filename = name
            raise

    return call
