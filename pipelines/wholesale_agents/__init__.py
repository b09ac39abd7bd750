"""Agents: answers programs that speak MCP from the published version in force.

In:  a published folder, and questions by name: a report, a metric, an order behind a number.
Out: rows and what they mean; each answer says whether it is certified complete, and as of when.
Knows nothing of warehouses or of the service, and writes nothing.
Begin with `server`.
"""

__all__ = ["commands"]
