"""Named: the place that a text names."""

from wholesale.errors import ConfigurationError, legible
from wholesale_books.handover.places.files import Folder, InFiles
from wholesale_books.handover.places.place import Place
from wholesale_books.handover.receiver import masked
from wholesale_elt.process import plugin_names, plugins
from wholesale_elt.publish import folder_at

POSTGRES = ("postgres", "postgresql")


def place_at(text: str) -> Place:
    """The place that a text names.

    Raises: ConfigurationError, without any password.
    """
    scheme, colon, rest = text.strip().partition(":")
    scheme = scheme.lower()
    if not text.strip():
        raise ConfigurationError("no place is named: write a folder, s3://BUCKET or postgres://…")
    if colon and scheme in POSTGRES:
        from wholesale_books.handover.places.postgres import Database

        return Database(text.strip())
    known = ("file", *plugin_names("stores"))
    is_uri = rest.startswith("//")
    if colon and ((is_uri and scheme not in known) or (scheme in known[1:] and not is_uri)):
        raise _unknown(text)
    path = folder_at(text)
    if path is not None:
        return InFiles(str(path.absolute()), Folder(path.absolute()))
    store = next(plugins("stores", scheme))
    if not hasattr(store, "write_file"):
        raise _unknown(text)
    return InFiles(masked(text.strip()), store(text.strip()))


def _unknown(text: str) -> ConfigurationError:
    return ConfigurationError(
        f"{legible(masked(text))} is no place for batches: name a folder, s3://BUCKET/PREFIX,"
        " gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or postgres://HOST/DATABASE"
    )
