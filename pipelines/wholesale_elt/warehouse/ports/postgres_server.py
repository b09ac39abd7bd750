"""PostgreSQL server: a database by its libpq connection string, and the lock of a run on it."""

import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from wholesale.configuration import read_section
from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_elt.process import AlreadyRunning, import_extra

SECTION, NAME = "destination.postgres", "credentials"
SETTING = f"{SECTION}.{NAME}"
LOCK = int.from_bytes(b"wholesal")
"""The number of the advisory lock that a run holds."""
ALIVE = {
    "tcp_keepalives_idle": "60",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
"""Options by which the server soon releases the lock of a machine that is gone."""
PATIENCE, PAUSE = 5.0, 0.05
"""Seconds for which a run waits where nobody holds the lock any more and the server, which has yet
to notice, does not give it away."""
UNLESS_ASKED = {
    "lock_timeout": "300s",  # for a table that others hold: all who come later wait behind it
    "statement_timeout": "0",
    "idle_session_timeout": "0",  # the connection that holds the lock says nothing
    "idle_in_transaction_session_timeout": "0",
}
"""How a session waits (PostgreSQL, §20.11), unless the connection string says otherwise."""
ENCODING = "UTF8"
ALWAYS = {
    "client_encoding": ENCODING,
    "timezone": "UTC",
    "datestyle": "ISO,YMD",
    "intervalstyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "standard_conforming_strings": "on",
    "transform_null_equals": "off",
    "quote_all_identifiers": "off",
    "default_transaction_isolation": r"read\ committed",
    "search_path": "public",
}
"""How a session writes and reads values, whatever roles, databases and the environment say."""
STRONGER = ("PGTZ", "PGDATESTYLE")
"""Variables by which libpq overrules the options of a session."""
PLACES = frozenset({"PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"})
"""Variables by which libpq finds a database."""


class Unreachable(WholesaleError):
    """The server cannot be reached, or does not let us in."""


class HoldLost(WholesaleError):
    """The server has released the lock of a run that is still at work."""


class PostgresServer:
    """A database of a PostgreSQL server; `dsn` is a libpq connection string from a setting."""

    def __init__(self, dsn: str, setting: str = SETTING) -> None:
        self.dsn = dsn
        self._setting = setting
        self._holding: Any = None
        for name in STRONGER:
            os.environ.pop(name, None)

    @cached_property
    def place(self) -> Mapping[str, str]:
        """Host, port and database of the connection.

        Raises: Unreachable, ConfigurationError; also for a database that does not hold every text.
        """
        with closing(self.connect()) as connection:
            info = connection.info
            if (encoding := info.parameter_status("server_encoding")) != ENCODING:
                raise ConfigurationError(
                    f"PostgreSQL database {info.dbname} at {info.host} is encoded in {encoding},"
                    f" which cannot hold every text: name one in setting {self._setting} that was"
                    " made with `create database … template template0 encoding 'UTF8'`"
                )
            return {
                "host": info.host,
                "port": str(info.port),
                "database": info.dbname,
            }

    @property
    def options(self) -> str:
        """The options of a session (PostgreSQL, §19.1.4): those that are set, and ours."""
        parameters = import_extra("psycopg2").extensions.parse_dsn(self.dsn)
        given = parameters.get("options") or os.environ.get("PGOPTIONS", "")
        return f"{_options(UNLESS_ASKED)} {given} {_options(ALWAYS)}"

    @property
    def session(self) -> str:
        """The connection string with the options of a session."""
        make_dsn = import_extra("psycopg2").extensions.make_dsn
        return str(make_dsn(self.dsn, client_encoding=ENCODING, options=self.options))

    @property
    def name(self) -> str:
        return f"PostgreSQL database {self.place['database']} at {self.place['host']}"

    @property
    def address(self) -> str:
        host = quote(self.place["host"], safe=":")
        return f"postgres://{host}:{self.place['port']}/{self.place['database']}"

    def require(self) -> None:
        """Raises: Unreachable if there was no connection yet, and there cannot be one now."""
        _ = self.place

    @property
    def state_folder(self) -> Path:
        """A local folder, named by the connection settings without the password, so that it is
        known while the server is down. Its loss does no harm."""
        psycopg2 = import_extra("psycopg2")
        try:
            parameters = psycopg2.extensions.parse_dsn(self.dsn)
        except psycopg2.ProgrammingError:
            parameters = {"dsn": self.dsn}
        parameters |= {name: value for name, value in os.environ.items() if name in PLACES}
        parameters.pop("password", None)
        place = sha256(repr(sorted(parameters.items())).encode()).hexdigest()[:12]
        return Path.cwd() / ".wholesale" / f"postgres-{place}"

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold an advisory lock (PostgreSQL, §13.3.5) on a connection of its own."""
        who = f"wholesale, process {os.getpid()} on {socket.gethostname()}"
        options = f"{self.options} {_options(ALIVE)}"
        with closing(self.connect(application_name=who, options=options)) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                self._take(cursor)
                self._holding = connection
                try:
                    yield
                finally:  # else the next run may begin before the server noticed the disconnection
                    self._holding = None
                    with suppress(import_extra("psycopg2").Error):
                        cursor.execute("select pg_advisory_unlock(%s)", [LOCK])

    def _take(self, cursor: Any) -> None:
        """Raises: AlreadyRunning naming the holder of the lock."""
        until = time.monotonic() + PATIENCE
        while not _is_taken(cursor):
            holder = _holder(cursor)
            if holder or time.monotonic() > until:
                raise AlreadyRunning(
                    f"another run is at work on {self.name}:"
                    f" {holder or 'one that ends just now'}; wait for it to end"
                )
            time.sleep(PAUSE)

    def require_hold(self) -> None:
        """Ask whether the lock is still ours, before anything is committed under it.

        Raises: HoldLost if the connection that holds it is gone: another run may be at work.
        """
        if self._holding is None:
            return
        psycopg2 = import_extra("psycopg2")
        try:
            with self._holding.cursor() as cursor:
                cursor.execute("select 1")
        except psycopg2.Error:
            raise HoldLost(
                f"the lock on {self.name} is lost with its connection, so another run may be at"
                " work: nothing half written is used; run again"
            ) from None

    def connect(self, **parameters: str) -> Any:
        psycopg2 = import_extra("psycopg2")
        try:
            return psycopg2.connect(self.session, **parameters)
        except psycopg2.ProgrammingError:  # its text may contain a part of the password
            raise ConfigurationError(
                f"setting {self._setting} is nothing that PostgreSQL understands: write it as"
                " postgresql://user@host/database, or as key=value pairs"
            ) from None
        except psycopg2.OperationalError as error:
            parameters = psycopg2.extensions.parse_dsn(self.dsn)
            places = [parameters.get(name, "") for name in ("host", "dbname")]
            if any("@" in place for place in places):  # its text may do so, too
                raise ConfigurationError(
                    f"setting {self._setting} has an @ in the name of the host or database: write"
                    " @ : / ? # % in a password as %40 %3A %2F %3F %23 %25"
                ) from None
            raise Unreachable(f"PostgreSQL cannot be reached: {one_line(error)}") from None


def read_dsn() -> str:
    """The setting as a connection string; in dlt's files it may also be a table.

    Raises: ConfigurationError if it is missing.
    """
    given: Any = read_section(SECTION, [NAME], [NAME]).get(NAME)
    if not given:
        raise ConfigurationError(
            f"setting {SETTING} is missing: set it in .dlt/secrets.toml, or"
            " DESTINATION__POSTGRES__CREDENTIALS in the environment, to what PostgreSQL connects"
            " by, such as postgresql://user@host/database"
        )
    if isinstance(given, str):
        return given
    names = {"database": "dbname", "username": "user"}
    make_dsn = import_extra("psycopg2.extensions").make_dsn
    return str(make_dsn(**{names.get(name, name): value for name, value in given.items()}))


def dsn_to(database: str, dsn: str) -> str:
    """The connection string for another database of the same server."""
    psycopg2 = import_extra("psycopg2")
    try:
        return str(psycopg2.extensions.make_dsn(dsn, dbname=database))
    except psycopg2.ProgrammingError:
        return dsn  # the error is reported when it connects


def _options(settings: Mapping[str, str]) -> str:
    return " ".join(f"-c {name}={value}" for name, value in settings.items())


def _is_taken(cursor: Any) -> bool:
    """Whether the lock is ours now."""
    cursor.execute("select pg_try_advisory_lock(%s)", [LOCK])
    return bool(cursor.fetchone()[0])


def _holder(cursor: Any) -> str | None:
    """Who holds the lock; None where nobody does any more."""
    cursor.execute(
        "select application_name, backend_start from pg_stat_activity join pg_locks using (pid)"
        " where locktype = 'advisory' and granted and classid::bigint << 32 | objid::bigint = %s"
        " and pg_locks.database = (select oid from pg_database where datname = current_database())",
        [LOCK],
    )
    for name, since in cursor.fetchall():
        return f"{name}, since {since:%Y-%m-%d %H:%M:%S %Z}"
    return None
