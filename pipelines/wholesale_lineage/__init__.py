"""Lineage: tells other tools of what a command did and published, in their standards.

In:  the summary of a command while it runs, and the draft of a version.
Out: events of OpenLineage, spans and counters of OpenTelemetry, data contracts (ODCS).
Knows nothing of how anything is done, and reads no database.
Begin with `openlineage`.
"""

__all__ = ["contract", "openlineage", "telemetry"]
