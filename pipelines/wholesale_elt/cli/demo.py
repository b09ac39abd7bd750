"""The service of the demo: a sandbox in its own process, on free local ports."""

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection

from wholesale.errors import WholesaleError
from wholesale.settings import ApiSettings
from wholesale_elt.process import import_extra

API_KEY = "sandbox"


@contextmanager
def serve_demo(orders: int) -> Iterator[ApiSettings]:
    """The settings of a sandbox with that many orders, which serves until the block ends.

    Raises: ConfigurationError if packages that the sandbox needs are not installed.
    """
    import_extra("wholesale_sandbox.server")
    # Its own process, as two busy threads of one process would wait for each other.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, orders), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ApiSettings.of(base_url=_address(ours), api_key=API_KEY)
    finally:
        ours.close()
        process.join()


def _address(pipe: Connection) -> str:
    try:
        return str(pipe.recv())
    except EOFError:
        raise WholesaleError("the sandbox did not start: see the lines above") from None


def _serve(pipe: Connection, orders: int) -> None:
    """Serve until the other end of the pipe closes, also when its process is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = import_extra("wholesale_sandbox.server")
    settings = import_extra("wholesale_sandbox.settings").SandboxSettings(
        orders=orders, api_key=API_KEY
    )
    with server.Sandbox(settings) as sandbox:
        pipe.send(sandbox.base_url)
        with suppress(EOFError):
            pipe.recv()
