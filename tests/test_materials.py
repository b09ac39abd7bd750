"""The bill of materials says what an installation asks for."""

import json
import tomllib

from packaging.requirements import Requirement

from support.documents import sbom
from support.paths import ROOT


def test_it_is_valid_and_names_whatever_any_extra_asks_for() -> None:
    # Reads its grammars when it is imported, which takes seconds: not in every worker.
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(sbom.SCHEMA).validate_str(sbom.text()) is None

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"]]
    asked += [
        requirement
        for extra, requirements in project["optional-dependencies"].items()
        if extra != "dev"
        for requirement in requirements
    ]
    components = json.loads(sbom.text())["components"]
    assert [component["name"] for component in components] == sorted(
        {Requirement(requirement).name for requirement in asked}
    )
    dlt = next(component for component in components if component["name"] == "dlt")
    assert (dlt["scope"], dlt["purl"], dlt["properties"]) == (
        "required",
        "pkg:pypi/dlt",
        [{"name": "python:requires", "value": "<1.32,>=1.31"}],
    )
