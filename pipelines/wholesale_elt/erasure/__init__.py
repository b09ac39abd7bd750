"""Erasure: erases the personal data of a buyer or a person from all that the warehouse keeps.

In:  a warehouse, the id of a buyer or of a buyer user, places of published versions.
Out: tables, files and versions without these data; a `Receipt`.
Knows nothing of the service.
Begin with `erasing`.
"""

from wholesale_elt.erasure.erasing import Erasure, erase, plan_erasure
from wholesale_elt.erasure.mentions import Mention
from wholesale_elt.erasure.receipt import Receipt, verify

__all__ = ["Erasure", "Mention", "Receipt", "erase", "plan_erasure", "verify"]
