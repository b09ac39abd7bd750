"""Command line: the commands of `wholesale`, and what they print.

In:  arguments and options.
Out: text, JSON and exit codes.
Knows nothing of how work is done: it calls the rooms before it.
Begin with `main`.
"""
