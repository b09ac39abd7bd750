"""Business: how records change, by writes to the API and by a live business.

In:  bodies of requests, or the passing of time.
Out: changed records in storage, or what is wrong with a body.
Knows nothing of HTTP beyond the statuses of a `Response`.
Begin with `records`.
"""

from wholesale_sandbox.business import edits, records
from wholesale_sandbox.business.consequences import CONSEQUENCES, NO_CONSEQUENCES, record_of
from wholesale_sandbox.business.edits import NotApplicable
from wholesale_sandbox.business.live import Live, following
from wholesale_sandbox.business.validation import Record, fields_sent, literal_of, text_of

__all__ = [
    "CONSEQUENCES",
    "NO_CONSEQUENCES",
    "Live",
    "NotApplicable",
    "Record",
    "edits",
    "fields_sent",
    "following",
    "literal_of",
    "record_of",
    "records",
    "text_of",
]
