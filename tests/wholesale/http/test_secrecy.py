"""The key is told to the service, and to nobody and nothing else."""

import html
import json
import logging
import re
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

import httpx
import pytest

from support.services.script import KEY, Script, answer, get
from support.services.wire import PATH, Wire
from wholesale.errors import ContentError, NotFound, ServiceError, Unavailable
from wholesale.http.client import HTTPCORE_LOGGERS, Client
from wholesale.http.secrecy import KeyMask
from wholesale.settings import ApiSettings

ECHO = f"HTTP/1.1 200 {KEY}\r\nX-Echo: {KEY}\r\nContent-Length: 3\r\n\r\n[1]".encode()


def test_the_key_stands_in_no_message_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = json.dumps({"error": f"key {KEY} is unknown", KEY: KEY}).encode()

    def read(body: bytes) -> Any:
        raise ContentError(f"its keys: {KEY}")

    messages = []
    for status, reader in ((401, json.loads), (500, json.loads), (200, read), (418, json.loads)):
        script = Script([answer(status, echo)])
        with pytest.raises(ServiceError) as failure:
            get(script.client(attempts=2), read=reader)
        messages.append(f"{failure.value} {failure.value.__cause__}")

    assert messages[0].startswith("GET /orders answered 401 key *** is unknown")
    assert sum(record.name.startswith("wholesale.") for record in caplog.records) == 2
    assert KEY not in caplog.text
    assert KEY not in repr(Script([answer()]).client().settings)
    for message in messages:
        assert KEY not in message
        assert "\n" not in message


ODD_KEY = "sk/Ab+9=?key~Zz&<"


@pytest.mark.parametrize("key", [KEY, ODD_KEY])
@pytest.mark.parametrize(
    "encode",
    [
        quote,
        lambda key: re.sub("%..", lambda found: found[0].lower(), quote(key, safe="")),
        lambda key: quote(quote(key, safe=""), safe=""),
        lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
        lambda key: json.dumps({"echo": key}),
        lambda key: json.dumps(key).replace("/", "\\/"),
        lambda key: "".join(f"\\u{ord(each):04X}" for each in key),
        lambda key: "".join(f"&#x{ord(each):X};" for each in key),
        lambda key: key.encode().hex(),
        lambda key: key.encode().hex().upper(),
        lambda key: b64encode(key.encode()).decode(),
        lambda key: urlsafe_b64encode(f"a:{key}:b".encode()).decode(),
        lambda key: quote(b64encode(f"user:{key}".encode()).decode(), safe=""),
        lambda key: b64encode(quote(key, safe="").encode()).decode(),
        lambda key: html.escape(key),
        lambda key: b64encode(json.dumps({"key": key}, ensure_ascii=False).encode()).decode(),
    ],
)
def test_the_key_is_masked_in_whichever_form_it_is_sent_back(
    key: str, encode: Callable[[str], str]
) -> None:
    sent = encode(key)
    found = KeyMask(key)(f"key {sent} is unknown")

    assert found.startswith("key ")
    assert found.endswith(" is unknown")
    assert "***" in found
    assert sent not in found
    assert key not in html.unescape(unquote(unquote(found)))
    assert key not in _decoded(found[4:-11])


def _decoded(text: str) -> str:
    """What may be read of a text in base64, wherever it begins."""
    letters = re.sub(r"[^\w+/-]", "", unquote(text))
    parts = (letters[start:] for start in range(4))
    return "".join(
        b64decode(part[: len(part) // 4 * 4], altchars=b"-_").decode("utf-8", "replace")
        for part in parts
    )


def test_a_text_without_the_key_stays_as_it_is() -> None:
    text = "GET /orders?page=2 answered 500: no such key %41%42 \\u0041 QUJD &#65;"

    assert KeyMask(KEY)(text) == text
    assert KeyMask("k")("book") == "boo***"


def test_the_key_in_the_phrase_of_a_status_is_masked() -> None:
    phrase = {"reason_phrase": KEY.encode()}
    refusal = httpx.Response(404, extensions=phrase, stream=httpx.ByteStream(b""))

    with pytest.raises(NotFound, match=r"^GET /orders answered 404 \*\*\*: check"):
        get(Script([refusal]).client())


@pytest.mark.parametrize("place", range(0, 200, 7))
def test_no_part_of_the_key_is_left_where_the_cause_of_a_failure_is_shortened(place: int) -> None:
    script = Script([httpx.RemoteProtocolError("x" * place + KEY)])

    with pytest.raises(Unavailable) as failure:
        get(script.client(attempts=1))

    reason = str(failure.value).partition("xxx")[2]
    assert not any(letter in reason.partition(";")[0] for letter in set(KEY) - {"x"})


def test_no_library_below_logs_the_key_that_a_service_repeats(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with Wire([[ECHO, b"HTTP/1.1 200 OK\r\nX-Echo" + KEY.encode() + b"\r\n\r\n"]]) as wire:
        client = Client(ApiSettings.of(base_url=wire.url(), api_key=KEY, attempts=1))
        with client:
            assert get(client) == [1]
            with pytest.raises(Unavailable) as failure:
                get(client)

    assert [KEY.encode() in asked for _, asked in wire.asked] == [True, True]
    assert any(record.name.startswith("httpcore") for record in caplog.records)
    assert KEY not in caplog.text
    assert KEY not in str(failure.value)
    assert all(not logging.getLogger(name).filters for name in HTTPCORE_LOGGERS)


def test_no_library_below_logs_the_key_that_is_repeated_behind_a_proxy(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    with Wire([[ECHO]]) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("no_proxy", "elsewhere.test")
        url = f"http://service.test{PATH}"
        settings = ApiSettings.of(base_url=url, api_key=KEY, plain_http=True)
        assert get(Client(settings)) == [1]

    assert "***" in caplog.text
    assert KEY not in caplog.text


def test_the_key_is_not_sent_on_to_where_a_redirect_leads() -> None:
    moved = "HTTP/1.1 307 Moved\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n"
    with Wire([[lambda connection: connection.sendall(leading_on)], [ECHO]]) as wire:
        leading_on = moved.format(wire.url("localhost")).encode()
        with pytest.raises(
            ServiceError, match=r"a redirect to http://localhost:\d+/.*, which is not followed"
        ):
            get(Client(ApiSettings.of(base_url=wire.url(), api_key=KEY)))

    assert len(wire.asked) == 1
