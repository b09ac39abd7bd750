"""Definitions: what each figure of the other pages means, in the words of the models."""

from wholesale_elt.dashboard.page import DashboardPage

DEFINITIONS = DashboardPage(
    name="definitions",
    title="Definitions",
    question="What does each figure mean?",
    tiles=(),
)
