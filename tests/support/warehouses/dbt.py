"""dbt on the project of the SQL models, as people run it who develop models."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from wholesale_elt.dashboard import PAGES
from wholesale_elt.models.dbt import write_project

OPTIONS = (
    *("--log-level", "none", "--log-level-file", "none"),
    *("--no-send-anonymous-usage-stats", "--no-version-check"),
)


@dataclass
class Dbt:
    """dbt in this process; it keeps its project, and what it parsed, in `folder`."""

    folder: Path

    @cached_property
    def project(self) -> Path:
        write_project(self.folder / "project", PAGES)
        return self.folder / "project"

    def run(
        self,
        database: Path,
        command: str,
        *options: str,
        project: Path | None = None,
        profiles: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Any:
        """The result of a command on that DuckDB file, in dbt's terms."""
        from dbt.adapters.duckdb.connections import DuckDBConnectionManager
        from dbt.adapters.factory import cleanup_connections
        from dbt.cli.main import dbtRunner

        given = environment or {"WHOLESALE_TARGET": "duckdb", "WHOLESALE_DATABASE": str(database)}
        given = {**given, "DBT_TARGET_PATH": str(self.folder)}
        at = str(project or self.project)
        of = str(profiles or self.project)
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dbt warns about its own code
            for name, value in given.items():
                patch.setenv(name, value)
            try:
                done = dbtRunner().invoke(
                    [
                        *OPTIONS,
                        *(command, *options, "--project-dir", at, "--profiles-dir", of),
                        *("--log-path", str(self.folder)),
                    ]
                )
            finally:  # so that others can open the database
                cleanup_connections()  # type: ignore[no-untyped-call]
                DuckDBConnectionManager.close_all_connections()  # type: ignore[no-untyped-call]
        if done.exception is not None:
            raise done.exception
        return done
