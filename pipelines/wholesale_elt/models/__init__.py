"""Models: the dbt project, run: built beside what is in use, tested, swapped in.

In:  the raw dataset.
Out: staging, marts and reports in the warehouse, or none of them.
Knows nothing of the service, and what becomes of the reports.
Begin with `build`.
"""

from wholesale_elt.models.build import Built, Step, build_models
from wholesale_elt.models.docs import write_docs

__all__ = ["Built", "Step", "build_models", "write_docs"]
