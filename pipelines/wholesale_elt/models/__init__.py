"""Models: builds the SQL models; they are made, tested, and put in force in one transaction.

In:  the raw dataset.
Out: staging, marts and reports in the warehouse, or none of them.
Knows nothing of the service, or of how reports are used.
Begin with `build`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.models.build import build_models
    from wholesale_elt.models.contract import (
        BUSINESS,
        PUBLIC,
        DeclaredColumn,
        DeclaredTable,
        read_contract,
    )
    from wholesale_elt.models.dbt import write_docs
    from wholesale_elt.models.descriptions import METRICS, described, read_own_metrics, read_yaml
    from wholesale_elt.models.findings import Findings
    from wholesale_elt.models.lineage import is_raw, read_lineage
    from wholesale_elt.models.mark import MARK, Mark, settings_tables
    from wholesale_elt.models.mark import SCHEMA as BUILD_SCHEMA
    from wholesale_elt.models.own import (
        Added,
        OwnMetrics,
        goals_of,
        read_added,
        read_extra_fields,
        read_once,
        without_own,
    )
    from wholesale_elt.models.place import Place
    from wholesale_elt.models.project import OWN_SCHEMA, Found, Model, Project, Tests, names_in
    from wholesale_elt.models.project import SECTION as BUILD
    from wholesale_elt.models.raw_tables import declared, typed
    from wholesale_elt.models.rendering import NotRendered, Own, read_project, rendered
    from wholesale_elt.models.running import BuildFailed, BuildStep, Built
    from wholesale_elt.models.settings import ModelSettings
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "BUILD",
    "BUILD_SCHEMA",
    "BUSINESS",
    "MARK",
    "METRICS",
    "OWN_SCHEMA",
    "PUBLIC",
    "Added",
    "BuildFailed",
    "BuildStep",
    "Built",
    "DeclaredColumn",
    "DeclaredTable",
    "Findings",
    "Found",
    "Mark",
    "Model",
    "ModelSettings",
    "NotRendered",
    "Own",
    "OwnMetrics",
    "Place",
    "Project",
    "Tests",
    "build_models",
    "declared",
    "described",
    "goals_of",
    "is_raw",
    "names_in",
    "read_added",
    "read_contract",
    "read_extra_fields",
    "read_lineage",
    "read_once",
    "read_own_metrics",
    "read_project",
    "read_yaml",
    "rendered",
    "settings_tables",
    "typed",
    "without_own",
    "write_docs",
]
