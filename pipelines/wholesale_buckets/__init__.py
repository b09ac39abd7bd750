"""Buckets: published versions in a bucket of S3, Google Cloud Storage or Azure.

In:  the draft of a version.
Out: objects under the names of the files in a published folder; `current.json` is replaced last.
Knows nothing of what is in the files.
Begin with `bucket`.
"""

__all__ = ["bucket"]
