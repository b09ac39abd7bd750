"""Fleet: many accounts, each with its own warehouse, processed side by side.

In:  `accounts.toml`, and the state of each warehouse.
Out: a process for each account with its result, when each is due, and one place to read all.
Knows nothing of how an account is synced: it starts the command that does that.
Begin with `accounts`.
"""

__all__ = ["commands"]
