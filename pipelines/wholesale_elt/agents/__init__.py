"""Agents: answers programs that speak MCP from the published version in force.

In:  a published folder, and questions by name: a report, a metric, an order behind a number.
Out: rows with their meaning, each answer with its verdict and the moment that it is of.
Knows nothing of warehouses and of the service, and writes nothing.
Begin with `server`.
"""

from wholesale_elt.agents.server import serve

__all__ = ["serve"]
