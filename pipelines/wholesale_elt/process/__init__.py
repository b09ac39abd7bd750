"""Process: what the operating system gives: lock, lease, log, journal, disk, plug-ins.

In:  paths, levels, the operating system.
Out: a held lock, log lines, what became of each command, DuckDB within its memory.
Knows nothing of the warehouse and the service.
Begin with `lock`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.process import budget, lease
    from wholesale_elt.process.disk import (
        PARTIAL,
        make_private,
        private,
        put_in_place,
        replace,
        sync_to_disk,
    )
    from wholesale_elt.process.extras import (
        allow_import,
        block_import,
        import_extra,
        plugin_names,
        plugins,
    )
    from wholesale_elt.process.failures import causes, is_full_disk, is_out_of_memory
    from wholesale_elt.process.journal import Journal, JournalEntry, last_ended, latest_believed
    from wholesale_elt.process.lease import Lease, Note
    from wholesale_elt.process.lock import (
        AlreadyRunning,
        hold,
        hold_open,
        refused_link,
        require_locks,
    )
    from wholesale_elt.process.logs import json_line, set_up
    from wholesale_elt.process.stopping import (
        MOST_SECONDS,
        how_it_stopped,
        obey,
        say_at_the_end,
        serve,
        wait_for_others,
    )
    from wholesale_elt.process.streams import open_standard_streams
    from wholesale_elt.process.variables import environment
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "MOST_SECONDS",
    "PARTIAL",
    "AlreadyRunning",
    "Journal",
    "JournalEntry",
    "Lease",
    "Note",
    "allow_import",
    "block_import",
    "budget",
    "causes",
    "environment",
    "hold",
    "hold_open",
    "how_it_stopped",
    "import_extra",
    "is_full_disk",
    "is_out_of_memory",
    "json_line",
    "last_ended",
    "latest_believed",
    "lease",
    "make_private",
    "obey",
    "open_standard_streams",
    "plugin_names",
    "plugins",
    "private",
    "put_in_place",
    "refused_link",
    "replace",
    "require_locks",
    "say_at_the_end",
    "serve",
    "set_up",
    "sync_to_disk",
    "wait_for_others",
]
