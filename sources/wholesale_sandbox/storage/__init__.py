"""Storage: what is kept: records in SQLite, by resource and in any order, with what befell them.

In:  records as JSON with their ids.
Out: `Storage` with one collection a resource, the truth and its digest.
Knows nothing of the API; it keeps what it is given.
Begin with `database`.
"""

from wholesale_sandbox.storage import data_folder
from wholesale_sandbox.storage.collection import Shelf
from wholesale_sandbox.storage.data_folder import PARENT_FIELDS
from wholesale_sandbox.storage.database import KindRecord, Storage
from wholesale_sandbox.storage.outbox import Mail, MailKind, Outbox
from wholesale_sandbox.storage.sequence import ListOrder
from wholesale_sandbox.storage.truth import digest, only, truth
from wholesale_sandbox.storage.uploads import Upload

__all__ = [
    "PARENT_FIELDS",
    "KindRecord",
    "ListOrder",
    "Mail",
    "MailKind",
    "Outbox",
    "Shelf",
    "Storage",
    "Upload",
    "data_folder",
    "digest",
    "only",
    "truth",
]
