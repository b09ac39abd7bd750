"""Reading: the files that the settings name, and parameters as SQL takes them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Self

from wholesale.configuration import place_of, read_section
from wholesale.errors import ConfigurationError
from wholesale_elt.models.project import SECTION, Field
from wholesale_elt.models.rendering import NOTHING, NotRendered, Own, is_named_well, is_yaml

MODELS, METRICS, EXTRA_FIELDS = "models", "metrics", "extra_fields"
PARAMETERS = f"{SECTION}.parameters"
ENDINGS = (".sql", ".yml", ".yaml")
IN_ENVIRONMENT = " in the environment"
MOST_BYTES = 2**20
"""A larger file is no model."""


@dataclass(frozen=True)
class Added:
    """What users added: their models, metrics and parameters.

    If something is wrong with it, none of it counts: `mistake` says what, and `digest` is still
    that of what they wrote.
    """

    own: Own = NOTHING
    allowed: str = ""
    """The columns of theirs that may identify a person, as the setting has them."""
    mistake: str = ""
    given_digest: str = ""

    @cached_property
    def digest(self) -> str:
        """Of all that they wrote; empty if that is nothing."""
        told = repr((self.own, self.allowed))
        is_nothing = not (self.own.files or self.own.fields)
        return self.given_digest or ("" if is_nothing else sha256(told.encode()).hexdigest())

    def without(self, mistake: str) -> Self:
        """None of their files, as something is wrong with one; fields are columns of ours."""
        own = replace(NOTHING, fields=self.own.fields)
        return replace(self, own=own, mistake=mistake, given_digest=self.digest)


_mistake: ContextVar[str] = ContextVar("mistake", default="")


@contextmanager
def without_own(mistake: str) -> Iterator[None]:
    """If there is a mistake in what users added, none of their files is there until the block ends:
    a build of which that is said has put none of it in force."""
    token = _mistake.set(mistake)
    try:
        yield
    finally:
        _mistake.reset(token)


_kept: ContextVar[list[Added] | None] = ContextVar("kept", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Until the block ends, what users added is read once: for whoever asks hundreds of questions,
    to look at the settings for each takes longer than to answer it."""
    token = _kept.set([])
    try:
        yield
    finally:
        _kept.reset(token)


def read_added() -> Added:
    """What the settings of `[build]` name.

    Raises: ConfigurationError for a folder or file that is not there, for a parameter that is no
    plain value, or a field that can be no column; NotRendered for a file that cannot be read.
    """
    kept = _kept.get()
    if kept:
        return kept[0]
    found = _read_settings()
    if kept is not None:
        kept.append(found)
    return found


def _read_settings() -> Added:
    if mistake := _mistake.get():
        return Added(Own(fields=read_extra_fields()), mistake=mistake)
    found = read_section(SECTION, (MODELS, METRICS))
    files: dict[str, str] = {}
    if folder := found.get(MODELS):
        files = dict(_read(path) for path in _files(Path(str(folder))))
    if file := found.get(METRICS):
        if not Path(str(file)).is_file():
            raise ConfigurationError(_not_there(METRICS, file, "file"))
        path, text = _read(Path(str(file)))
        if not is_yaml(path):
            raise NotRendered(path, None, "is no YAML by its name: call it metrics.yml")
        files[path] = text
    own = Own(files, dict(_parameters()), read_extra_fields())
    if not (own.files or own.fields):
        return Added(own)
    from wholesale_elt.models.own.privacy import allowed_columns  # with the columns of records

    return Added(own, str(allowed_columns()))


def read_extra_fields() -> tuple[Field, ...]:
    """The undocumented fields that are columns of marts, whatever else users added.

    Raises: ConfigurationError for one that can be no column.
    """
    found = read_section(SECTION, (EXTRA_FIELDS,)).get(EXTRA_FIELDS)
    if not found:
        return ()
    from wholesale_elt.models.own.fields import read_fields  # with the columns of records

    return tuple(read_fields(found))


def _files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise ConfigurationError(_not_there(MODELS, folder, "folder"))
    for path in sorted(folder.rglob("*")):
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            continue
        if path.is_symlink() and not path.is_file():  # which would be passed over
            raise NotRendered(_shown(path), None, "is a link to no file: put the files here")
        if path.is_file() and path.suffix.lower() in ENDINGS:
            if path.suffix not in ENDINGS:
                what = f"ends in {path.suffix}: call it {path.stem}{path.suffix.lower()}"
                raise NotRendered(_shown(path), None, what)
            yield path


def _not_there(name: str, value: object, kind: str) -> str:
    return (
        f"setting {SECTION}.{name} ({place_of(SECTION, name)}) is {str(value)!r}: there is no such"
        f" {kind} below {Path.cwd()}"
    )


def _shown(path: Path) -> str:
    return path.as_posix() if path.is_absolute() else f"./{path.as_posix()}"


def _read(path: Path) -> tuple[str, str]:
    shown = _shown(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise NotRendered(shown, None, "is larger than a megabyte, and so no model")
        return shown, path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise NotRendered(shown, line, "is no text in UTF-8: save it as that") from None
    except OSError as error:
        raise NotRendered(shown, None, f"cannot be read: {str(error.strerror).lower()}") from None


def _parameters() -> Iterator[tuple[str, str]]:
    for name, value in read_section(PARAMETERS, ()).items():
        place = place_of(PARAMETERS, name)
        where = f"setting {PARAMETERS}.{name} ({place})"
        if not is_named_well(name):
            raise ConfigurationError(f"{where}: use small letters, digits and _ for its name")
        try:
            yield name, _as_sql(_typed(value, place))
        except ValueError as error:
            raise ConfigurationError(f"{where} is {value!r}: {error}") from None


def _typed(value: object, place: str) -> object:
    """A number, list, true or false, which in the environment are texts, too."""
    if isinstance(value, str) and place.endswith(IN_ENVIRONMENT):
        with suppress(json.JSONDecodeError):
            found = json.loads(value, parse_float=Decimal)
            return value if isinstance(found, str | dict | None) else found
    return value


def _as_sql(value: object) -> str:
    """A value as SQL has it; several in brackets, for `in`."""
    match value:
        case bool():
            return str(value).lower()
        case datetime():
            return f"timestamptz '{value.isoformat(sep=' ')}'"
        case date():
            return f"date '{value.isoformat()}'"
        case int() | float() | Decimal():
            number = Decimal(str(value))
            if not number.is_finite():
                raise ValueError("it is no number that SQL has")
            return f"({number:f})" if number < 0 else f"{number:f}"
        case str():
            if "\0" in value:
                raise ValueError("SQL has no texts with a zero byte")
            return "'" + value.replace("'", "''") + "'"
        case list() if value and not any(isinstance(each, list) for each in value):
            return f"({', '.join(map(_as_sql, value))})"
    raise ValueError("write a text, number, day, true or false, or a list of them")
