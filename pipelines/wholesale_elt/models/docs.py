"""Documentation of the SQL models: one HTML file, with the lineage from API field to metric."""

import json
import shutil
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

from wholesale.errors import WholesaleError, one_line
from wholesale_elt.models.project import project_folder
from wholesale_elt.process import environment, import_extra

EXTRA = "dbt"
PAGE = "index.html"
QUIET = (
    *("--log-level", "none", "--log-level-file", "none"),
    *("--no-send-anonymous-usage-stats", "--no-version-check"),
)


def write_docs(folder: Path) -> Path:
    """Write the page into `folder`, and return its path. Reading it needs no network.

    Raises: ConfigurationError if dbt, which makes it, is not installed.
    """
    runner = import_extra("dbt.cli.main", EXTRA).dbtRunner()
    project = str(project_folder())
    with (
        TemporaryDirectory() as target,
        warnings.catch_warnings(),
        environment({"WHOLESALE_TARGET": "duckdb", "WHOLESALE_DATABASE": ":memory:"}),
    ):
        warnings.simplefilter("ignore")  # dbt warns about its own code
        done = runner.invoke(
            [
                *QUIET,
                *("docs", "generate", "--static", "--empty-catalog"),
                *("--vars", json.dumps({"is_packaged": True})),
                *("--project-dir", project, "--profiles-dir", project),
                *("--target-path", target, "--log-path", target),
            ]
        )
        if not done.success:
            raise WholesaleError(f"dbt docs did not run: {one_line(done.exception)}")
        folder.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(Path(target) / "static_index.html", folder / PAGE))
