"""Next: what each version claimed of the next orders, kept as it was claimed, and judged later.

In:  a version that is being published, and the one before it in that place.
Out: a table of claims in each version, with whether they were right.
Knows nothing of how windows are made, or of how a version is put in force.
Begin with `claims`.
"""

__all__ = ["publication"]
