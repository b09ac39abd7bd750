"""dbt: the models as a project of dbt, which needs more than a build does, and as a page."""

import json
import shutil
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import yaml

from wholesale.errors import WholesaleError, one_line
from wholesale_elt.models.descriptions import reference
from wholesale_elt.models.project import project_folder
from wholesale_elt.models.rendering import LOADED, loaded_yaml, parsed
from wholesale_elt.process import environment, import_extra

EXTRA = "dbt"
EXPOSURES = "models/exposures.yml"
PAGE = "index.html"
PROJECT = "dbt"
QUIET = (
    *("--log-level", "none", "--log-level-file", "none"),
    *("--no-send-anonymous-usage-stats", "--no-version-check"),
)


class Page(Protocol):
    """A page that shows models; dbt calls it an exposure."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def question(self) -> str: ...
    @property
    def models(self) -> Sequence[str]: ...


def write_project(folder: Path, pages: Sequence[Page] = ()) -> None:
    """Write the project into `folder`, with what is made of the code: raw tables, pages, and a
    description of each column. Other files there stay."""
    written = shutil.ignore_patterns("target", "logs")  # by dbt, in a working copy
    shutil.copytree(project_folder(), folder, ignore=written, dirs_exist_ok=True)
    for path in folder.glob("models/**/*.yml"):
        content = parsed(path.as_posix(), path.read_text("utf-8"))
        path.write_text(_as_yaml(_completed(content)), "utf-8")
    (folder / LOADED).write_text(loaded_yaml(), "utf-8")
    shown = {"exposures": [_exposure(page) for page in pages if page.models]}
    (folder / EXPOSURES).write_text(_as_yaml(shown), "utf-8")


def write_docs(folder: Path, pages: Sequence[Page] = ()) -> Path:
    """Write the page into `folder`, beside the project that it is made of, and return its path.
    Reading it needs no network.

    Raises: ConfigurationError if dbt, which makes it, is not installed.
    """
    runner = import_extra("dbt.cli.main", EXTRA).dbtRunner()
    project = folder / PROJECT
    write_project(project, pages)
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
                *("--project-dir", str(project), "--profiles-dir", str(project)),
                *("--target-path", target, "--log-path", target),
            ]
        )
        if not done.success:
            raise WholesaleError(f"dbt docs did not run: {one_line(done.exception)}")
        return Path(shutil.copy(Path(target) / "static_index.html", folder / PAGE))


def _completed(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """A file of models in which each column is described: dbt knows no block by a column's name."""
    models = content.get("models", ())
    if not models:
        return content
    return {
        **content,
        "models": [
            {
                **model,
                "columns": [
                    {"description": reference(column["name"]), **column}
                    for column in model.get("columns", ())
                ],
            }
            for model in models
        ],
    }


def _exposure(page: Page) -> Mapping[str, Any]:
    return {
        "name": f"dashboard_{page.name}",
        "label": f"Dashboard: {page.title}",
        "type": "dashboard",
        "maturity": "high",
        "description": page.question,
        "owner": {"name": "wholesale-elt"},
        "depends_on": [f"ref('{model}')" for model in page.models],
    }


def _as_yaml(content: Mapping[str, Any]) -> str:
    text: str = yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000)
    return text
