"""Compaction: gives back disk space that a warehouse no longer needs."""

from wholesale_elt.process import AlreadyRunning
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.port import Compacted


def compact(warehouse: Warehouse) -> Compacted | None:
    """Give back disk space; None when there is nothing to gain, or another program works on the
    warehouse or has it open.

    Raises: what its database and the system raise; it is as it was then.
    """
    try:
        with warehouse.hold():
            return warehouse.port.compact()
    except AlreadyRunning:
        return None


def rehearse(warehouse: Warehouse) -> None:
    """Find out whether `rewrite` is possible, before something depends on it.

    Raises: AlreadyRunning, WholesaleError, and what its database and the system raise.
    """
    with warehouse.hold():
        warehouse.port.rehearse()


def rewrite(warehouse: Warehouse) -> str:
    """Remove from the disk everything that was deleted from tables; return what was done, in words.

    Raises: AlreadyRunning, WholesaleError, and what its database and the system raise.
    """
    with warehouse.hold():
        return warehouse.port.rewrite()
