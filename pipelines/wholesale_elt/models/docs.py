"""Documentation of the SQL models: one HTML file, with the lineage from API field to metric."""

import shutil
from pathlib import Path

from wholesale_elt.models.project import run_dbt
from wholesale_elt.warehouse import Warehouse

PAGE = "index.html"


def write_docs(warehouse: Warehouse, folder: Path) -> Path:
    """Write the page into `folder`, and return its path. Reading it needs no network.

    Types and row counts are those of the tables in force, left out if nothing was built yet.
    """
    with warehouse.hold():
        # Without the suffix the models are those in force, not those under audit.
        done = run_dbt(warehouse, "docs", "generate", "--static", variables={"audit_suffix": ""})
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(done.target / "static_index.html", folder / PAGE))
