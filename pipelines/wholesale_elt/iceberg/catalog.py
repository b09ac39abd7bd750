"""Catalogue: commits tables of Iceberg one by one; the configuration of pyiceberg says where."""

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
from sqlalchemy.exc import SQLAlchemyError

from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_elt.process import AlreadyRunning


class Unreached(WholesaleError):
    """The catalogue does not do what it is asked."""


def open_catalog(name: str, place: str) -> Catalog:
    """The catalogue of that name, as `place` has it: an option or a setting with its value.

    Raises: ConfigurationError for one that pyiceberg does not know, or cannot use.
    """
    if name.lower() not in list_catalogs():
        setting = f"PYICEBERG_CATALOG__{name.upper().replace('-', '_')}__URI"
        raise ConfigurationError(
            f"{place} names a catalogue that pyiceberg does not know: set {setting} and what"
            f" else it takes, or write catalog.{name}.uri into .pyiceberg.yaml, at home or here"
        )
    try:
        return load_catalog(name)
    except (NotInstalledError, ValueError) as error:
        raise ConfigurationError(f"{place} cannot be used: {one_line(error)}") from error


@contextmanager
def asking(place: str, overtaken: str) -> Iterator[None]:
    """Say in our words what the catalogue says.

    Raises: AlreadyRunning with `overtaken` where it refuses a commit, as another came before;
    Unreached where it cannot be read or written.
    """
    try:
        yield
    except (CommitFailedException, TableAlreadyExistsError, ValidationException) as error:
        raise AlreadyRunning(overtaken) from error
    except (OSError, RESTError, SQLAlchemyError) as error:
        raise Unreached(
            f"{place} cannot be read or written: {one_line(error)}; check its settings and the"
            " credentials"
        ) from error
