"""Journals: what moved the figures of a closed month since it was closed, order by order.

In:  the months that are closed, each with its file, and a later version.
Out: for each metric what it was, what changed, what is counted otherwise, and what it is now.
Knows nothing of how a month is closed.
Begin with `journal`.
"""

__all__: list[str] = []
