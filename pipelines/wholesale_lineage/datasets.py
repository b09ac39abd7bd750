"""Datasets: what a phase read and wrote, in the terms of OpenLineage, with their lineage.

Columns and their lineage come from the registries of the API and from the models' SQL, not from a
database.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from wholesale.api import ENDPOINT, RESOURCE
from wholesale.tables import TableShape, shape_of
from wholesale_elt.models import is_raw, read_lineage
from wholesale_elt.monitoring import PublishSummary, SyncSummary
from wholesale_elt.runs import Certificate, this_release
from wholesale_elt.warehouse import RAW_DATASET

PRODUCER = f"urn:wholesale-elt:{this_release()}"
FACETS = "https://openlineage.io/spec/facets"
COLUMN_LINEAGE = f"{FACETS}/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet"
SCHEMA = f"{FACETS}/1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet"
VERSION = f"{FACETS}/1-0-1/DatasetVersionDatasetFacet.json#/$defs/DatasetVersionDatasetFacet"
ASSERTIONS = (
    f"{FACETS}/1-1-0/DataQualityAssertionsDatasetFacet.json"
    "#/$defs/DataQualityAssertionsDatasetFacet"
)
CERTIFICATE = "urn:wholesale-elt:certificate-dataset-facet:1"
"""The `$id` of certificate.schema.json, a file beside this module."""
LASTING = ("wholesale_history.", "wholesale_marts.", "wholesale_bi.", "wholesale_own.")
"""Schemas of models that are tables, and exist after a build."""
Dataset = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DatasetNamespace:
    """A namespace of OpenLineage, and the prefix of the names of tables there."""

    namespace: str
    prefix: str = ""

    @classmethod
    def of_warehouse(cls, address: str) -> "DatasetNamespace":
        """By the rules of OpenLineage, the database of a server belongs to the names."""
        parts = urlsplit(address)
        if parts.scheme != "postgres":
            return cls(address)
        return cls(f"postgres://{parts.netloc}", f"{parts.path[1:]}.")

    @classmethod
    def of_publication(cls, place: str) -> "DatasetNamespace":
        parts = urlsplit(place)
        if len(parts.scheme) < 2:  # a folder, maybe on a drive
            return cls("file", f"{Path(place).absolute().as_posix()}/")
        if not parts.netloc:  # a catalogue
            return cls(place)
        return cls(f"{parts.scheme}://{parts.netloc}", f"{parts.path.strip('/')}/".lstrip("/"))

    def dataset(self, name: str, **facets: Any) -> Dataset:
        return {"namespace": self.namespace, "name": f"{self.prefix}{name}", "facets": facets}

    def column(self, name: str) -> dict[str, str]:
        """The field of a column `schema.table.column`."""
        table, _, column = name.rpartition(".")
        return self.field(table, column)

    def field(self, table: str, column: str) -> dict[str, str]:
        return {"namespace": self.namespace, "name": f"{self.prefix}{table}", "field": column}


def facet(schema: str, **fields: Any) -> dict[str, Any]:
    """A facet by the URL of its JSON schema."""
    return {"_producer": PRODUCER, "_schemaURL": schema, **fields}


def of_sync(warehouse: DatasetNamespace, sync: SyncSummary) -> tuple[list[Dataset], list[Dataset]]:
    """The lists of the service that were read, and the raw tables written, with certificates."""
    read: list[Dataset] = []
    written: list[Dataset] = []
    found = [entry.partition(".") for entry in sync.found_columns]
    for row in sync.resources:
        resource = RESOURCE[row.resource]
        service = DatasetNamespace(f"wholesale://{row.service}")
        path = ENDPOINT[resource.list_endpoint].path
        shape = shape_of(resource)
        fields = [name for table in shape.tables for name in _fields(table).values()]
        read.append(service.dataset(path, schema=_schema(dict.fromkeys(fields, ""))))
        for table in shape.tables:
            types = {field.name: str(field.type) for field in table.schema}
            types |= {column: "" for of, _, column in found if of == table.table}
            facets = {
                "schema": _schema(types),
                "columnLineage": _column_lineage(
                    {
                        column: [service.field(path, field)]
                        for column, field in _fields(table).items()
                    }
                ),
            }
            if table.is_root:
                facets["wholesale_certificate"] = certificate(row)
            written.append(warehouse.dataset(f"{RAW_DATASET}.{table.table}", **facets))
    return read, written


def of_build(warehouse: DatasetNamespace) -> tuple[list[Dataset], list[Dataset]]:
    """The raw tables, and the tables made of them, each column with the raw ones behind it."""
    lineage = read_lineage()
    written = []
    for table, model in lineage.models.items():
        if table.startswith(LASTING):
            behind = {name: filter(is_raw, lineage.behind(table, name)) for name in model.columns}
            inputs = {
                name: [warehouse.column(column) for column in columns]
                for name, columns in behind.items()
            }
            types = {name: column.type for name, column in model.columns.items()}
            facets = {"schema": _schema(types), "columnLineage": _column_lineage(inputs)}
            written.append(warehouse.dataset(table, **facets))
    return [warehouse.dataset(table) for table in lineage.raw_tables()], written


def of_checks(
    warehouse: DatasetNamespace, found: Mapping[str, int], known: Iterable[str]
) -> list[Dataset]:
    """The tables that dbt's tests are about, with the outcome of the `known` tests: `found` has the
    number of rows of each test that found any."""
    lineage = read_lineage()
    assertions: dict[str, list[dict[str, Any]]] = {}
    for name in known:
        if check := lineage.checks.get(name):
            assertion = {"assertion": check.kind, "name": name, "success": not found.get(name)}
            if check.column:
                assertion["column"] = check.column
            if found.get(name):
                assertion["actual"] = str(found[name])
            assertions.setdefault(check.table, []).append(assertion)
    return [
        warehouse.dataset(table)
        | {"inputFacets": {"dataQualityAssertions": facet(ASSERTIONS, assertions=outcomes)}}
        for table, outcomes in sorted(assertions.items())
    ]


def of_publication(
    warehouse: DatasetNamespace, publish: PublishSummary
) -> tuple[list[Dataset], list[Dataset]]:
    """The marts and reports that were published, and the published tables, under names that are the
    same in all versions; without columns that were left out."""
    models = read_lineage().models
    there = DatasetNamespace.of_publication(publish.place)
    read, written = [], []
    for table in publish.tables:
        model = models.get(table)
        types = {
            column: of.type
            for column, of in (model.columns.items() if model else ())
            if f"{table.partition('.')[2]}.{column}" not in publish.left_out
        }
        inputs = {column: [warehouse.field(table, column)] for column in types}
        read.append(warehouse.dataset(table))
        written.append(
            there.dataset(
                table.replace(".", "/"),
                schema=_schema(types),
                columnLineage=_column_lineage(inputs),
                version=facet(VERSION, datasetVersion=publish.version or ""),
            )
        )
    return read, written


def certificate(row: Certificate) -> dict[str, Any]:
    """A row of `sync_runs` with its column names."""
    columns = {name: value for name, value in asdict(row).items() if value is not None}
    return facet(CERTIFICATE, **columns)


def _fields(table: TableShape) -> dict[str, str]:
    """The field of the service behind each column; for child tables after the field of the list."""
    before = f"{table.field}." if table.field else ""
    found = {mapping.column: f"{before}{mapping.field}" for mapping in table.mappings}
    return found if table.is_root else {table.parent_key: "id", **found}


def _schema(types: Mapping[str, str]) -> dict[str, Any]:
    fields = [
        {"name": name, "type": type_} if type_ else {"name": name} for name, type_ in types.items()
    ]
    return facet(SCHEMA, fields=fields)


def _column_lineage(inputs: Mapping[str, Sequence[dict[str, str]]]) -> dict[str, Any]:
    fields = {name: {"inputFields": behind} for name, behind in inputs.items() if behind}
    return facet(COLUMN_LINEAGE, fields=fields)
