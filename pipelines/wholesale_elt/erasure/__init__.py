"""Erasure: erases a buyer or a person wherever the warehouse keeps what tells of them.

In:  a warehouse, the id of a buyer or of a buyer user, places of published versions.
Out: tables, file, versions without their values; a `Receipt`.
Knows nothing of the service, and who asked.
Begin with `erasing`.
"""

from wholesale_elt.erasure.erasing import Erasure, erase, plan_erasure
from wholesale_elt.erasure.mentions import Mention
from wholesale_elt.erasure.receipt import Receipt, verify

__all__ = ["Erasure", "Mention", "Receipt", "erase", "plan_erasure", "verify"]
