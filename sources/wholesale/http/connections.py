"""Kept-alive connections to one host, in the fewest steps: sockets, and the parser of httptools.

What is fetched are few headers and large bodies. For those the state machine, the pool and the
types of httpx take several times the processor time, which grows further with the threads that
share it. Its errors name what goes wrong, and a proxy is left to it.
"""

import contextlib
import select
import socket
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial

import httptools
import httpx

from wholesale.http.transport import Answer

PIECE_BYTES = 2**16
"""Received at once, at most: a larger buffer takes longer to make than its parts to join."""
MAX_HEAD_BYTES = 2**17
INTERIM = range(100, 200)
"""Status of what comes before the answer itself."""
PORTS = {"http": 80, "https": 443}


class Connections:
    """A Transport with as many connections as are in use at once, each kept for the next request.

    An answer that leaves in doubt where it ends is refused as one that breaks the protocol.
    """

    def __init__(self, base_url: str, headers: Mapping[str, str]) -> None:
        self._url = httpx.URL(base_url)
        self._path = self._url.raw_path.decode("ascii").rstrip("/")
        fields = {"Host": self._url.netloc.decode("ascii"), **headers}
        self._head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self._tls = httpx.create_ssl_context() if self._url.scheme == "https" else None
        self._idle: deque[_Connection] = deque()

    def get(self, target: str, seconds: float) -> Answer:
        connection = self._take() or _Connection(self._open(seconds))
        request = f"GET {self._path}{target} HTTP/1.1\r\n{self._head}\r\n".encode("ascii")
        try:
            connection.ask(request, seconds)
        except BaseException:
            connection.close()
            raise
        return Answer(
            connection.status,
            connection.reason.decode("latin-1"),
            connection.fields,
            connection.pieces(),
            partial(self._give_back, connection),
        )

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> "_Connection | None":
        """A connection that was kept, and that the other side has not closed meanwhile."""
        with contextlib.suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if connection.is_silent():
                    return connection
                connection.close()
        return None

    def _give_back(self, connection: "_Connection") -> None:
        if connection.is_whole and connection.is_kept:
            self._idle.append(connection)
        else:
            connection.close()

    def _open(self, seconds: float) -> socket.socket:
        host, port = self._url.host, self._url.port or PORTS[self._url.scheme]
        try:
            opened = socket.create_connection((host, port), seconds)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return self._tls.wrap_socket(opened, server_hostname=host) if self._tls else opened
        except TimeoutError as error:
            raise httpx.ConnectTimeout(str(error)) from error
        except (OSError, UnicodeError) as error:
            raise httpx.ConnectError(str(error)) from error


class _Fields:
    """Header fields as they were sent; those of one name together, in the order they came."""

    def __init__(self) -> None:
        self._values: dict[bytes, bytes] = {}

    def __contains__(self, name: bytes) -> bool:
        return name in self._values

    def add(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        before = self._values.get(name)
        self._values[name] = value if before is None else before + b", " + value

    def get(self, name: str, default: str, /) -> str:
        value = self._values.get(name.lower().encode("latin-1"))
        return default if value is None else value.decode("latin-1")


class _Connection:
    """One connection, and the answer that comes in on it, as the parser tells of it."""

    def __init__(self, socket: socket.socket) -> None:
        self.status = 0
        self.reason = b""
        self.fields = _Fields()
        self.is_whole = False
        self.is_kept = False
        self._socket = socket
        self._parser = httptools.HttpResponseParser(self)
        self._parts: deque[bytes] = deque()
        self._is_head_whole = False
        self._is_surplus = False

    def ask(self, request: bytes, seconds: float) -> None:
        """Send a request, and receive the head of its answer."""
        self.is_whole = self._is_head_whole = False
        self._parts.clear()  # of an answer that nobody read
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(request)
        except TimeoutError as error:
            raise httpx.WriteTimeout(str(error)) from error
        except OSError as error:
            raise httpx.WriteError(str(error)) from error
        received = 0
        while not self._is_head_whole:
            received += self._receive()
            if received > MAX_HEAD_BYTES and not self._is_head_whole:
                raise httpx.RemoteProtocolError(f"the head has more than {MAX_HEAD_BYTES:,} bytes")
        if self.fields.get("Transfer-Encoding", "chunked").lower() != "chunked":
            raise httpx.RemoteProtocolError("a transfer encoding came that was not asked for")

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes in."""
        while True:
            while self._parts:
                yield self._parts.popleft()
            if self.is_whole:
                return
            self._receive()

    def is_silent(self) -> bool:
        """Whether nothing has come since the last answer, not even that the other side closed."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        self._parts.clear()
        self._socket.close()

    def _receive(self) -> int:
        try:
            data = self._socket.recv(PIECE_BYTES)
            if data:
                self._parser.feed_data(data)
        except TimeoutError as error:
            raise httpx.ReadTimeout(str(error)) from error
        except OSError as error:
            raise httpx.ReadError(str(error)) from error
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            raise httpx.RemoteProtocolError(f"the answer breaks the protocol: {error}") from error
        if self._is_surplus:
            raise httpx.RemoteProtocolError("more came than one answer")
        if not data:
            self._end()
        return len(data)

    def _end(self) -> None:
        """The other side has closed: that is the end of an answer that names no other."""
        names_its_end = b"content-length" in self.fields or b"transfer-encoding" in self.fields
        if names_its_end or not self._is_head_whole:
            raise httpx.RemoteProtocolError("the connection was closed within the answer")
        self.is_whole = True

    def on_message_begin(self) -> None:
        self._is_surplus = self.is_whole
        self.reason, self.fields = b"", _Fields()

    def on_status(self, part: bytes) -> None:
        self.reason += part

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_head_whole:  # what stands behind the body says nothing that we need
            self.fields.add(name, value)

    def on_headers_complete(self) -> None:
        self.status = self._parser.get_status_code()
        self.is_kept = self._parser.should_keep_alive()
        self._is_head_whole = self.status not in INTERIM

    def on_body(self, part: bytes) -> None:
        self._parts.append(part)

    def on_message_complete(self) -> None:
        self.is_whole = self._is_head_whole
