"""Models: runs the dbt project; its tables are built, tested, and then put in force.

In:  the raw dataset.
Out: staging, marts and reports in the warehouse, or none of them.
Knows nothing of the service, or of how reports are used.
Begin with `build`.
"""

from wholesale_elt.models.build import BuildFailed, Built, build_models
from wholesale_elt.models.descriptions import described, models_in
from wholesale_elt.models.docs import write_docs
from wholesale_elt.models.lineage import is_raw, read_lineage
from wholesale_elt.models.settings import SECTION as BUILD
from wholesale_elt.models.settings import ModelSettings

__all__ = [
    "BUILD",
    "BuildFailed",
    "Built",
    "ModelSettings",
    "build_models",
    "described",
    "is_raw",
    "models_in",
    "read_lineage",
    "write_docs",
]
