"""Erasure: erases the personal data of a buyer or a person from all that the warehouse keeps.

In:  a warehouse, the id of a buyer or of a buyer user, places of published versions.
Out: tables, files and versions without these data; a `Receipt`.
Knows nothing of the service.
Begin with `erasing`.
"""

__all__ = ["commands"]
