"""Fetching: pictures by their addresses, within bounds, each of which fails by itself alone."""

import hashlib
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from wholesale.http import httpx
from wholesale_elt.pictures.images import Image, image_in
from wholesale_elt.pictures.network import (
    IsPublic,
    NotPublic,
    PublicTransport,
    Resolve,
    is_public,
    resolved,
)

INDEX = "index.json"
"""What was fetched from where, beside the files."""
AT_ONCE = 4
MOST_REDIRECTS = 3
MOST_BYTES = 5_000_000
"""Of one file."""
SILENCE = 5.0
LONGEST = 20.0
"""Seconds without a byte, and of one file with all its redirects."""
LONGEST_ADDRESS = 2_000
HEADERS = {
    "User-Agent": "wholesale-elt",
    "Accept": "image/webp,image/png,image/jpeg,image/gif",
    "Accept-Encoding": "identity",
}


class Refused(Exception):
    """Why there is no picture, in words that are the same for all of their kind."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of one publication: how many pictures there are at most, their bytes, and the seconds that
    fetching new ones may take."""

    most: int
    most_bytes: int
    seconds: float


class File(msgspec.Struct, frozen=True):
    """A picture: the name of its file, its bytes, and its size in pixels."""

    name: str
    size: int
    width: int
    height: int


@dataclass
class Pictures:
    """`files` by address; `failed` counts those that could not be fetched, by reason."""

    files: Mapping[str, File] = field(default_factory=dict)
    failed: Counter[str] = field(default_factory=Counter)
    left_out: int = 0
    fetched: int = 0


def fetch_pictures(
    addresses: Sequence[str],
    folder: Path,
    bounds: Bounds,
    *,
    resolve: Resolve = resolved,
    is_allowed: IsPublic = is_public,
    trusted: ssl.SSLContext | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Pictures:
    """Put the pictures of these addresses into `folder`, the first ones first, and remove all else.

    What the folder has of them, as its index says, is not fetched again. No failure is raised.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = list(dict.fromkeys(addresses))
    result = Pictures(left_out=max(0, len(wanted) - bounds.most))
    kept = _kept(folder, wanted[: bounds.most])
    _clean(folder, {file.name for file in kept.values()})
    run = _Run(folder, bounds, clock, kept, result.failed)
    trusted = trusted or httpx.create_ssl_context()

    def take(address: str) -> None:
        until = min(run.until, clock() + LONGEST)
        transport = PublicTransport(resolve, is_allowed, lambda: until - clock(), trusted)
        # Without the environment: a proxy would connect to what is not looked at here.
        with httpx.Client(
            transport=transport, headers=HEADERS, timeout=SILENCE, trust_env=False
        ) as client:
            run.take(client, address, until)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(take, [each for each in wanted[: bounds.most] if each not in kept]))
    result.files = {address: run.files[address] for address in wanted if address in run.files}
    result.fetched = len(result.files) - len(kept)
    (folder / INDEX).write_bytes(msgspec.json.encode(result.files))
    return result


def _kept(folder: Path, wanted: Sequence[str]) -> dict[str, File]:
    """The pictures that are there and are what their names say."""
    try:
        known = msgspec.json.decode((folder / INDEX).read_bytes(), type=dict[str, File])
    except (OSError, ValueError):
        return {}
    found = {}
    for address in wanted:
        file = known.get(address)
        path = folder / file.name if file and "/" not in file.name else None
        if file and path and path.is_file() and _name(path.read_bytes()) == file.name:
            found[address] = file
    return found


def _clean(folder: Path, names: set[str]) -> None:
    """Remove all files but these: they may be links to those of another version."""
    for path in folder.iterdir():
        if path.name not in names:
            path.unlink()


def _name(data: bytes, image: Image | None = None) -> str | None:
    image = image or image_in(data)
    return f"{hashlib.sha256(data).hexdigest()[:32]}.{image.kind}" if image else None


class _Run:
    """What is fetched at once shares its bounds."""

    def __init__(
        self,
        folder: Path,
        bounds: Bounds,
        clock: Callable[[], float],
        kept: Mapping[str, File],
        failed: Counter[str],
    ) -> None:
        self._folder, self._clock, self._failed = folder, clock, failed
        self.until = clock() + bounds.seconds
        self.files = dict(kept)
        self._left = bounds.most_bytes - sum({f.name: f.size for f in kept.values()}.values())
        self._lock = threading.Lock()

    def take(self, client: httpx.Client, address: str, until: float) -> None:
        try:
            data, image = self._fetched(client, address, until)
            self._store(address, data, image)
        except Refused as refusal:
            reason = str(refusal)
        except httpx.ConnectError as error:
            is_ours = isinstance(error.__cause__, NotPublic)
            reason = "the address is not public" if is_ours else "no connection"
        except httpx.TimeoutException:
            reason = "it took too long"
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError):
            reason = "no connection"
        else:
            return
        with self._lock:
            self._failed[reason] += 1

    def _store(self, address: str, data: bytes, image: Image) -> None:
        name = _name(data, image)
        assert name is not None
        with self._lock:
            is_new = all(file.name != name for file in self.files.values())
            if is_new and len(data) > self._left:
                raise Refused("all pictures together are too large")
            if is_new:
                (self._folder / name).write_bytes(data)
                self._left -= len(data)
            self.files[address] = File(name, len(data), image.width, image.height)

    def _fetched(self, client: httpx.Client, address: str, until: float) -> tuple[bytes, Image]:
        for _ in range(1 + MOST_REDIRECTS):
            url = _checked(address)
            self._check(until)
            with client.stream("GET", url, follow_redirects=False) as response:
                if response.is_redirect:
                    address = str(url.join(response.headers.get("location", "")))
                    continue
                if response.status_code != httpx.codes.OK:
                    raise Refused(f"the answer was {response.status_code}")
                data = self._body(response, until)
            image = image_in(data)
            if image is None:
                raise Refused("it is no picture that is shown, or too many pixels")
            return data, image
        raise Refused("too many redirects")

    def _body(self, response: httpx.Response, until: float) -> bytes:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise Refused("it is packed")
        told = response.headers.get("content-length", "")
        if told.isdecimal() and int(told) > MOST_BYTES:
            raise Refused("it is too large")
        data = bytearray()
        for piece in response.iter_raw():
            data += piece
            if len(data) > MOST_BYTES:
                raise Refused("it is too large")
            self._check(until)
        return bytes(data)

    def _check(self, until: float) -> None:
        now = self._clock()
        if now >= self.until:
            raise Refused("the time for all pictures was over")
        if now >= until:
            raise Refused("it took too long")


def _checked(address: str) -> httpx.URL:
    """Raises: Refused for what is no plain https address; httpx.InvalidURL."""
    if len(address) > LONGEST_ADDRESS:
        raise Refused("the address is too long")
    url = httpx.URL(address)
    if url.scheme != "https" or not url.host:
        raise Refused("the address is not https")
    if url.userinfo:
        raise Refused("the address has a user in it")
    return url
