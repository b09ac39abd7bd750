"""Pictures are fetched from public https addresses alone, within bounds; what fails is counted."""

import ssl
import struct
import threading
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import trustme

from wholesale_elt.pictures import Bounds, fetch_pictures, fetching
from wholesale_elt.pictures.fetching import MOST_BYTES, Pictures
from wholesale_elt.pictures.network import Address, is_public

BOUNDS = Bounds(most=100, most_bytes=50_000_000, seconds=60)
NAMES = {"cdn.test": ["127.0.0.1"], "inner.test": ["10.0.0.8"], "both.test": ["9.9.9.9", "::1"]}


def png(width: int = 3, height: int = 2, shade: int = 0) -> bytes:
    """A whole picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([shade]) * min(width, 9)) * min(height, 9)
    parts = [chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@dataclass
class Place:
    """A server of pictures; `asked` are the paths in the order in which they came."""

    port: int = 0
    asked: list[str] = field(default_factory=list)
    trusted: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    def address(self, path: str, host: str = "cdn.test", scheme: str = "https") -> str:
        return f"{scheme}://{host}:{self.port}/{path}"

    def fetch(self, folder: Path, *paths: str, **options: Any) -> Pictures:
        def allowed(address: Address) -> bool:
            return is_public(address) or address == ip_address("127.0.0.1")

        given = {"is_allowed": allowed, "resolve": lambda host, port: NAMES[host], **options}
        bounds = given.pop("bounds", BOUNDS)
        addresses = [path if ":" in path else self.address(path) for path in paths]
        return fetch_pictures(addresses, folder, bounds, trusted=self.trusted, **given)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    found = Place()
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found.asked.append(self.path)
            self.close_connection = True
            name = self.path.strip("/")
            if name.startswith("to/"):
                location = name.removeprefix("to/").replace("PORT", str(found.port))
                return self.answer(302, {"Location": location})
            if name.startswith("round"):
                return self.answer(302, {"Location": f"/{name}x"})
            if name == "slow":
                return self.drip()
            if name == "told.png":
                return self.answer(200, {"Content-Length": str(MOST_BYTES + 1)})
            if name == "endless.png":
                return self.endless()
            if name == "gone.png":
                return self.answer(404, {}, png())
            bodies: Mapping[str, bytes] = {
                "one.png": png(),
                "same.png": png(),
                "two.png": png(5, 4, shade=9),
                "page.png": b"<!doctype html><script>alert(1)</script>",
                "drawn.svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
                "bomb.png": png(19_999, 19_999),
                "empty.png": b"",
            }
            packed = {"Content-Encoding": "gzip"} if name == "packed.png" else {}
            self.answer(200, packed, bodies.get(name, png()))

        def answer(self, status: int, headers: Mapping[str, str], body: bytes = b"") -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def drip(self) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not over.wait(0.05):
                try:
                    self.wfile.write(b"X-More: 1\r\n")
                    self.wfile.flush()
                except OSError:
                    return

        def endless(self) -> None:
            self.send_response(200)
            self.end_headers()
            try:
                self.wfile.write(png())
                while True:
                    self.wfile.write(bytes(1_000_000))
            except OSError:
                return

        def log_message(self, *_: Any) -> None:
            pass

    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("cdn.test").configure_cert(context)
    authority.configure_trust(found.trusted)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield found
    over.set()
    server.shutdown()
    thread.join()
    server.server_close()


def test_pictures_are_kept_by_their_content(place: Place, tmp_path: Path) -> None:
    found = place.fetch(tmp_path, "one.png", "two.png", "same.png")
    one, two, same = (
        found.files[place.address(name)] for name in ("one.png", "two.png", "same.png")
    )
    assert one == same != two
    assert (one.width, one.height, two.width, two.height) == (3, 2, 5, 4)
    assert (tmp_path / one.name).read_bytes() == png()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [one.name, two.name, "index.json"]
    )
    assert (found.fetched, found.failed) == (3, {})


def test_what_was_fetched_is_not_fetched_again_and_what_is_not_wanted_goes(
    place: Place, tmp_path: Path
) -> None:
    before = place.fetch(tmp_path, "one.png", "two.png")
    (tmp_path / "other.js").write_text("left")
    place.asked.clear()
    after = place.fetch(tmp_path, "two.png", "same.png")
    assert place.asked == ["/same.png"]
    assert after.fetched == 1
    assert after.files[place.address("two.png")] == before.files[place.address("two.png")]
    names = {file.name for file in after.files.values()}
    assert {path.name for path in tmp_path.iterdir()} == {*names, "index.json"}


def test_a_file_that_is_not_what_its_name_says_is_fetched_again(
    place: Place, tmp_path: Path
) -> None:
    [file] = place.fetch(tmp_path, "one.png").files.values()
    (tmp_path / file.name).write_bytes(png(shade=77))
    assert place.fetch(tmp_path, "one.png").fetched == 1
    assert (tmp_path / file.name).read_bytes() == png()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("page.png", "it is no picture that is shown, or too many pixels"),
        ("drawn.svg", "it is no picture that is shown, or too many pixels"),
        ("bomb.png", "it is no picture that is shown, or too many pixels"),
        ("empty.png", "it is no picture that is shown, or too many pixels"),
        ("gone.png", "the answer was 404"),
        ("told.png", "it is too large"),
        ("endless.png", "it is too large"),
        ("packed.png", "it is packed"),
        ("round", "too many redirects"),
        ("to/http://cdn.test:PORT/one.png", "the address is not https"),
        ("to/file:///etc/passwd", "the address is not https"),
        ("to/https://inner.test:PORT/one.png", "the address is not public"),
        ("to/https://both.test:PORT/one.png", "the address is not public"),
        ("https://inner.test/one.png", "the address is not public"),
        ("http://cdn.test/one.png", "the address is not https"),
        ("https://somebody:secret@cdn.test/one.png", "the address has a user in it"),
        ("https://unknown.test/one.png", "no connection"),
        ("https://", "the address is not https"),
        ("https://cdn.test:0:0/x", "no connection"),
        ("data:image/png;base64,AAAA", "the address is not https"),
        ("https://cdn.test/" + "x" * 3_000, "the address is too long"),
    ],
)
def test_what_is_refused_is_counted_and_leaves_the_others(
    place: Place, tmp_path: Path, path: str, reason: str
) -> None:
    def resolve(host: str, port: int) -> list[str]:
        if host not in NAMES:
            raise OSError("unknown")
        return NAMES[host]

    address = path if ":" in path and not path.startswith("to/") else place.address(path)
    found = place.fetch(tmp_path, address, "one.png", resolve=resolve)
    assert dict(found.failed) == {reason: 1}
    assert {*found.files} == {place.address("one.png")}


def test_a_slow_answer_ends_at_its_deadline(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "LONGEST", 0.4)
    assert dict(place.fetch(tmp_path, "slow").failed) == {"it took too long": 1}


def test_number_bytes_and_time_of_all_are_bounded(place: Place, tmp_path: Path) -> None:
    size = len(png())
    few = place.fetch(tmp_path, "one.png", "two.png", bounds=Bounds(1, 10**6, 60))
    assert ({*few.files}, few.left_out) == ({place.address("one.png")}, 1)
    small = place.fetch(tmp_path, "one.png", "two.png", bounds=Bounds(9, size, 60))
    assert dict(small.failed) == {"all pictures together are too large": 1}
    late = place.fetch(tmp_path / "late", "one.png", bounds=Bounds(9, 10**6, 0))
    assert (late.files, sum(late.failed.values())) == ({}, 1)


def test_a_certificate_of_another_is_not_taken(place: Place, tmp_path: Path) -> None:
    found = place.fetch(
        tmp_path,
        place.address("one.png", host="other.test"),
        resolve=lambda host, port: ["127.0.0.1"],
    )
    assert dict(found.failed) == {"no connection": 1}


def test_a_proxy_of_the_environment_is_not_asked(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert place.fetch(tmp_path, "one.png").fetched == 1


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
        *("100.64.0.1", "192.0.0.8", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"),
        *("2002:a00:1::", "2001:0:a00:1::", "2001:db8::1"),
    ],
)
def test_an_address_within_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
def test_this_machine_is_not_asked_however_it_is_written(
    place: Place, tmp_path: Path, host: str
) -> None:
    found = fetch_pictures(
        [f"https://{host}:{place.port}/one.png"], tmp_path, BOUNDS, trusted=place.trusted
    )
    assert found.files == {}
    assert sum(found.failed.values()) == 1
