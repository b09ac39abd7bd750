"""Guides: what an agent may begin with: what to ask in which order, and what it may know before.

In:  the version in force, and calls of tools.
Out: prompts and resources of the Model Context Protocol.
Knows nothing of how a tool answers.
Begin with `prompts`.
"""

from wholesale_agents.guides.prompts import prompts
from wholesale_agents.guides.resources import resources

__all__ = ["prompts", "resources"]
