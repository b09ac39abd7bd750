"""Storage: the records in SQLite, by resource, and the log of their changes.

In:  records as JSON with their ids.
Out: `Storage` with one collection a resource, the truth and its digest.
Knows nothing of the API; it stores what it is given.
Begin with `database`.
"""

from wholesale_sandbox.storage import data_folder
from wholesale_sandbox.storage.collection import Collection
from wholesale_sandbox.storage.data_folder import PARENT_FIELDS, without_parent
from wholesale_sandbox.storage.database import ResourceRecord, Storage
from wholesale_sandbox.storage.outbox import Mail, MailKind, Outbox
from wholesale_sandbox.storage.sequence import ListOrder
from wholesale_sandbox.storage.truth import digest, only, truth
from wholesale_sandbox.storage.uploads import Upload

__all__ = [
    "PARENT_FIELDS",
    "Collection",
    "ListOrder",
    "Mail",
    "MailKind",
    "Outbox",
    "ResourceRecord",
    "Storage",
    "Upload",
    "data_folder",
    "digest",
    "only",
    "truth",
    "without_parent",
]
