"""Kinds: those of tasks, as the first page sorts them."""

TASK_KINDS = (
    *("unknown_state", "due", "silent", "unusual", "overdue", "unconfirmed", "old"),
    *("near_misses", "below_list"),
)
