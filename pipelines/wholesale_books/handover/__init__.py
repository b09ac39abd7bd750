"""Hand-over: every order that is new, changed, cancelled or gone, to a receiver, once.

In:  a published version that is certified complete, and what a receiver was handed before.
Out: numbered batches in a folder, a bucket or a PostgreSQL database, each as whole orders.
Knows nothing of the warehouse but where its books are, and after an erasure what it still has.
Begin with `handing`.
"""

__all__: list[str] = []
