"""Books: months that stay closed, statements of what is owed, each changed order handed over once.

In:  published versions and the warehouse; the book, a file to which entries are only added.
Out: entries of the book, files of closed months, journals, statements, batches for a receiver.
Knows nothing of how anything is counted or published: it asks for figures and differences.
Begin with `closing`.
"""

__all__ = ["commands", "handover", "journals", "statements"]
