"""Bill of materials: what an installation asks for, in the form of CycloneDX.

`poe sbom` writes it beside the wheel of a release. Nothing of others is in the wheel, so each
component is external, in the range of versions that `pyproject.toml` gives it.
"""

import json
import tomllib
from collections.abc import Iterator
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from packaging.requirements import Requirement

from support.paths import ROOT

FILE = ROOT / "dist" / "wholesale-elt.cdx.json"
SCHEMA = SchemaVersion.V1_7
RANGE, MARKER, EXTRA = "python:requires", "python:marker", "python:extra"
OF_TESTS = "dev"


def text() -> str:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    itself = Component(
        type=ComponentType.APPLICATION,
        name=project["name"],
        version=project["version"],
        bom_ref=project["name"],
        description=project["description"],
        licenses=[LicenseExpression(project["license"])],
        purl=PackageURL("pypi", None, project["name"], project["version"]),
    )
    bom = Bom(components=_components(project))
    bom.metadata.component = itself
    bom.register_dependency(itself, bom.components)
    bom.serial_number = uuid5(NAMESPACE_URL, "".join(str(part.purl) for part in bom.components))
    made = json.loads(make_outputter(bom, OutputFormat.JSON, SCHEMA).output_as_string())
    del made["metadata"]["timestamp"]  # the same of the same
    return json.dumps(made, indent=2) + "\n"


def _components(project: dict[str, Any]) -> Iterator[Component]:
    by_name: dict[str, list[tuple[Requirement, str | None]]] = {}
    extras = project["optional-dependencies"].items()
    declared = [(text, None) for text in project["dependencies"]]
    declared += [(text, extra) for extra, texts in extras if extra != OF_TESTS for text in texts]
    for requirement, extra in ((Requirement(text), extra) for text, extra in declared):
        by_name.setdefault(requirement.name, []).append((requirement, extra))
    for name, asked in sorted(by_name.items()):
        is_required = any(extra is None for _, extra in asked)
        yield Component(
            name=name,
            bom_ref=name,
            scope=ComponentScope.REQUIRED if is_required else ComponentScope.OPTIONAL,
            is_external=True,
            purl=PackageURL("pypi", None, name),
            properties={
                Property(name=key, value=value)
                for requirement, extra in asked
                for key, value in (
                    (RANGE, str(requirement.specifier)),
                    (MARKER, str(requirement.marker or "")),
                    (EXTRA, extra or ""),
                )
                if value
            },
        )


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text(), "utf-8")


if __name__ == "__main__":
    main()
