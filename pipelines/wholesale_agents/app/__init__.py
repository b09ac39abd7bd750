"""App: a page that hosts of agents show figures by, as MCP Apps (SEP-1865) have it.

In:  the answer of a tool, which the host hands to the page.
Out: one HTML document, which asks no host for anything.
Knows nothing of how a tool answers.
Begin with `page`.
"""

from wholesale_agents.app.page import FIGURES, figures_app

__all__ = ["FIGURES", "figures_app"]
