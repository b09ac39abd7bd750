"""The environment names the way to a service; what keeps requests back on it is said at once."""

import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import trustme

from support.services.script import KEY, Script, answer, get
from support.services.wire import PATH, Wire
from wholesale.errors import ConfigurationError, Unavailable
from wholesale.http.client import Client
from wholesale.http.way import CERTIFICATES, Way
from wholesale.settings import ApiSettings

ONE = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]"
VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, *CERTIFICATES):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def refusal_at(address: str) -> str:
    """What a client says that asks there: once, and without a wait."""
    settings = ApiSettings.of(base_url=f"{address}{PATH}", api_key=KEY, plain_http=True)
    slept: list[float] = []
    with pytest.raises(ConfigurationError) as failure:
        get(Client(settings, sleep=slept.append))
    assert slept == []
    return re.sub(r"\(.*\)", "(…)", str(failure.value))


def assert_named(said: str, *names: str) -> None:
    assert [name for name in names if name not in said] == []


@contextmanager
def serving_tls(folder: Path) -> Iterator[tuple[Wire, Path]]:
    """A service with a certificate of an authority of its own, whose file is named."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(served)
    with Wire([[ONE]], tls=served) as wire:
        yield wire, folder / "authority.pem"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_this_machine_is_never_asked_through_a_proxy(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "127.0.0.1:9")

    assert Way.to(f"http://{host}{PATH}").proxy is None
    assert str(Way.to(f"http://far.test{PATH}")) == (
        "far.test:80 through the proxy 127.0.0.1:9 of http_proxy"
    )


@pytest.mark.parametrize(
    ("no_proxy", "host", "is_direct"),
    [
        ("near.test", "near.test", True),
        ("near.test", "shop.near.test", True),
        (".near.test", "shop.near.test", True),
        ("near.test", "linear.test", False),
        ("other.test, near.test", "near.test", True),
        ("near.test:8080", "near.test:8080", True),
        ("near.test:8080", "near.test:8081", False),
        ("*", "near.test", True),
        ("10.0.0.0/8", "10.1.2.3", True),
        ("10.0.0.0/8", "11.1.2.3", False),
        ("10.1.2.3", "10.1.2.3:8080", True),
        ("fd00::/8", "[fd12::1]", True),
        ("[fd12::1]", "[fd12::1]:8080", True),
        ("10.0.0.0/8", "near.test", False),
        ("10.0.0.0/99", "10.1.2.3", False),
    ],
)
def test_what_no_proxy_names_is_asked_without_one(
    no_proxy: str, host: str, is_direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.test:3128")
    monkeypatch.setenv("NO_PROXY", no_proxy)

    assert (Way.to(f"http://{host}{PATH}").proxy is None) is is_direct


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_the_authorities_that_the_environment_names_are_trusted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_tls(tmp_path) as (wire, authority):
        monkeypatch.setenv(name, str(authority))
        settings = ApiSettings.of(base_url=wire.url("localhost"), api_key=KEY)
        assert get(Client(settings)) == [1]


def test_a_certificate_that_is_not_trusted_is_said_at_once(tmp_path: Path) -> None:
    with serving_tls(tmp_path) as (wire, _):
        said = refusal_at(f"https://localhost:{wire.port}")
        assert_named(said, f"localhost:{wire.port}", "certificate", "SSL_CERT_FILE")


def test_certificates_that_cannot_be_read_are_said_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty.pem").touch()
    for place in (tmp_path / "missing.pem", tmp_path / "empty.pem"):
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(place))
        assert_named(refusal_at("https://localhost:9"), "REQUESTS_CA_BUNDLE", str(place))


def test_a_proxy_that_is_not_there_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with Wire([]) as gone:
        place = f"127.0.0.1:{gone.port}"
    monkeypatch.setenv("HTTPS_PROXY", f"http://a-user:a-word@{place}")

    assert_named(refusal_at("https://far.test"), f"proxy {place}", "HTTPS_PROXY")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_wants_a_password_is_said_at_once(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
    with Wire([[head]]) as proxy:
        monkeypatch.setenv("ALL_PROXY", f"127.0.0.1:{proxy.port}")
        place, said = f"127.0.0.1:{proxy.port}", refusal_at(f"{scheme}://far.test")

    assert_named(said, f"proxy {place}", "ALL_PROXY", "password")


def test_a_proxy_that_lets_nothing_through_to_the_service_is_said_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Wire([[b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"]]) as proxy:
        monkeypatch.setenv("https_proxy", f"127.0.0.1:{proxy.port}")
        place, said = f"127.0.0.1:{proxy.port}", refusal_at("https://far.test")

    assert_named(said, f"proxy {place}", "https_proxy", "far.test:443", "NO_PROXY")


@pytest.mark.parametrize("proxy", ["ftp://proxy.test", "http://", "http://a:b:c"])
def test_a_variable_that_names_no_proxy_is_said_without_its_value(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)

    said = refusal_at("https://far.test")

    assert_named(said, "HTTPS_PROXY")
    assert "proxy.test" not in said
    assert "a:b:c" not in said


def unknown_name(request: httpx.Request) -> httpx.Response:
    """As the resolver of the system says it, without asking one."""
    import socket

    try:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    except socket.gaierror as error:
        raise httpx.ConnectError(str(error)) from error


def test_a_name_that_nobody_knows_is_said_at_once_but_not_of_a_service_that_answered() -> None:
    unknown = Script(before=unknown_name)
    with pytest.raises(ConfigurationError) as failure:
        get(unknown.client())
    assert_named(str(failure.value), "service.test:443", "base_url")
    assert (len(unknown.asked), unknown.slept) == (1, [])

    known = Script()
    known.before = lambda request: answer() if len(known.asked) == 1 else unknown_name(request)
    with known.client(attempts=2) as client:
        get(client)
        with pytest.raises(Unavailable, match=r"service\.test:443"):
            get(client)
