"""Lock: one run at a time per warehouse; it names its holder and is released when that ends."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from wholesale.errors import ConfigurationError, WholesaleError

NO_LOCKS = (
    "to load, build and publish takes Linux or macOS: on Windows run this in WSL or in a container;"
    " what is published can be asked here, as by `wholesale figures`"
)


class AlreadyRunning(WholesaleError):
    """Another run holds the warehouse, or the folder into which it is published."""


def require_locks() -> None:
    """Raises: ConfigurationError on a system without locks that end with their process, which
    is Windows: whatever writes a warehouse or publishes needs them."""
    try:
        import fcntl  # noqa: F401
    except ModuleNotFoundError:
        raise ConfigurationError(NO_LOCKS) from None


@contextmanager
def hold(path: Path, what: str = "this warehouse") -> Iterator[None]:
    """Hold the lock file at `path`; the system releases it when the process ends, even if killed.

    Raises: AlreadyRunning naming the process that holds it; ConfigurationError for a link.
    """
    with hold_open(path, what):
        yield


@contextmanager
def hold_open(path: Path, what: str) -> Iterator[int]:
    """Like `hold`, and yield the descriptor: a child that inherits it holds the lock as well.

    A link is not followed: somebody could make it lead to any file, which would be overwritten.
    Raises: AlreadyRunning naming the process that holds it; ConfigurationError for a link, and as
    `require_locks`.
    """
    require_locks()
    import fcntl  # the doors that only read do without it

    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+", opener=_open_no_link) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise AlreadyRunning(
                f"another run is at work on {what}: {holder}; wait for it to end"
            ) from None
        file.seek(0)
        file.truncate()
        file.write(f"process {os.getpid()}, since {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC")
        file.flush()
        yield file.fileno()


def _open_no_link(path: str, flags: int) -> int:
    try:
        return os.open(path, flags | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise refused_link(path) from None


def refused_link(path: Path | str) -> ConfigurationError:
    """What is told of a link in a place that is written to."""
    return ConfigurationError(
        f"{path} is a symbolic link, which is not followed: find out who made it, and remove it"
    )
