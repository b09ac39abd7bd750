"""Catalogue: opens a catalogue of Iceberg as pyiceberg is configured, and translates its errors."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from pyiceberg.catalog import Catalog, list_catalogs, load_catalog
from pyiceberg.exceptions import (
    CommitFailedException,
    NotInstalledError,
    RESTError,
    TableAlreadyExistsError,
    ValidationException,
)
from pyiceberg.io import S3_ENDPOINT
from sqlalchemy.exc import SQLAlchemyError

from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_elt.process import AlreadyRunning, causes, is_full_disk


class CatalogUnreachable(WholesaleError):
    """The catalogue cannot be read or written."""


def open_catalog(name: str, place: str) -> Catalog:
    """The catalogue of that name; `place` is the option or setting, with its value, for messages.

    Raises: ConfigurationError for one that pyiceberg does not know, or cannot use.
    """
    if name.lower() not in list_catalogs():
        setting = f"PYICEBERG_CATALOG__{name.upper().replace('-', '_')}__URI"
        raise ConfigurationError(
            f"{place} names a catalogue that pyiceberg does not know: set {setting} and what"
            f" else it takes, or write catalog.{name}.uri into .pyiceberg.yaml, at home or here"
        )
    try:
        catalog = load_catalog(name)
    except (NotInstalledError, ValueError) as error:
        raise ConfigurationError(f"{place} cannot be used: {one_line(error)}") from error
    if server := os.environ.get("AWS_ENDPOINT_URL"):  # pyiceberg knows Amazon's others
        catalog.properties.setdefault(S3_ENDPOINT, server)
    return catalog


@contextmanager
def translated_errors(place: str, overtaken: str) -> Iterator[None]:
    """Translate the errors of a catalogue.

    Raises: AlreadyRunning with the message `overtaken` where a commit of another run came first;
    CatalogUnreachable where the catalogue cannot be read or written, unless the disk is full.
    """
    try:
        yield
    except (CommitFailedException, TableAlreadyExistsError, ValidationException) as error:
        raise AlreadyRunning(overtaken) from error
    except (OSError, RESTError, SQLAlchemyError) as error:
        if any(map(is_full_disk, causes(error))):
            raise
        raise CatalogUnreachable(
            f"{place} cannot be read or written: {one_line(error)}; check its settings and the"
            " credentials"
        ) from error
