"""Process: what the operating system gives: settings, lock, log, memory, disk, optional modules.

In:  environment, configuration files, the operating system.
Out: settings objects, a held lock, log lines.
Knows nothing of the warehouse and the service.
Begin with `configuration`.
"""

from wholesale_elt.process import memory
from wholesale_elt.process.configuration import read_api_settings
from wholesale_elt.process.disk import sync_to_disk
from wholesale_elt.process.extras import import_extra
from wholesale_elt.process.lock import AlreadyRunning, hold
from wholesale_elt.process.logs import set_up

__all__ = [
    "AlreadyRunning",
    "hold",
    "import_extra",
    "memory",
    "read_api_settings",
    "set_up",
    "sync_to_disk",
]
