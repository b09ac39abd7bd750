"""Statuses and headers, as a plain client meets them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]
KEY = {"X-API-Key": "sandbox"}


def wait_of(response: httpx.Response) -> timedelta:
    return parsedate_to_datetime(response.headers["retry-after"]) - datetime.now(UTC)


@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_is_asked_for_in_every_form(dial: Dial, client: httpx.Client, status: int) -> None:
    def asked(form: str, **rule: Any) -> httpx.Response:
        dial(f"{status}-after-{form}", **rule)
        response = client.get("/orders")
        assert response.status_code == status
        assert set(response.json()) == {"error", "details"}
        return response

    assert asked("seconds", seconds=7).headers["retry-after"] == "7"
    assert timedelta(seconds=58) < wait_of(asked("date", seconds=60)) <= timedelta(seconds=61)
    assert "retry-after" not in asked("nothing").headers
    assert asked("junk").headers["retry-after"] == "soon"
    assert wait_of(asked("past")) < timedelta(hours=-23)
    assert asked("negative").headers["retry-after"] == "-5"
    assert asked("huge").headers["retry-after"] == "31536000"


@pytest.mark.parametrize("status", [500, 502, 504, 520])
def test_a_failure_may_come_as_a_page_for_people(
    dial: Dial, client: httpx.Client, status: int
) -> None:
    dial(f"{status}-html")

    response = client.get("/orders")

    assert (response.status_code, response.headers["content-type"]) == (status, "text/html")
    assert response.text.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("fault", "denial"), [("410-for-404", (410, "Error")), ("null-for-404", (200, None))]
)
def test_a_record_may_be_denied_in_other_ways(
    dial: Dial, client: httpx.Client, fault: str, denial: tuple[int, str | None]
) -> None:
    dial(fault)

    denied, found = (client.get(path) for path in ("/orders/nobody", "/orders/o1"))

    said = denied.json()
    assert (denied.status_code, said and said["error"]) == denial
    assert (found.status_code, found.json()["id"]) == (200, "o1")


def test_the_key_is_refused_in_mid_run(dial: Dial, client: httpx.Client) -> None:
    dial("401", after=2)

    responses = [client.get("/orders", params={"page": page}) for page in range(1, 5)]

    assert [response.status_code for response in responses] == [200, 200, 401, 401]
    assert responses[-1].json()["error"] == "Invalid Credentials"


def test_a_list_is_not_found(dial: Dial, client: httpx.Client) -> None:
    dial("404", endpoints=["list_orders"])

    assert client.get("/orders").json() == {"error": "Resource not found", "details": ""}
    assert client.get("/orders/o1").status_code == 200


def test_one_resource_is_forbidden(dial: Dial, client: httpx.Client) -> None:
    dial("403", resources=["orders"])

    answers = [client.get(path) for path in ("/orders", "/orders/o1", "/prices")]

    assert [answer.status_code for answer in answers] == [403, 403, 200]
    assert answers[0].json()["error"] == "Forbidden"


def test_nothing_is_said_to_have_changed(dial: Dial, client: httpx.Client) -> None:
    dial("304")

    answers = [client.get(path) for path in ("/orders", "/orders/o1")]

    assert [(answer.status_code, answer.content) for answer in answers] == [(304, b"")] * 2


@pytest.mark.parametrize("status", [202, 206])
def test_there_is_an_empty_list_with_a_success_that_is_none(
    dial: Dial, client: httpx.Client, status: int
) -> None:
    dial(str(status))

    answer = client.get("/orders")

    assert (answer.status_code, answer.content) == (status, b"[]")


def test_an_answer_comes_out_of_a_cache(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders").json()
    dial("aged", seconds=90)

    answer = client.get("/orders")

    assert (answer.headers["Age"], answer.json()) == ("90", right)


@pytest.mark.parametrize("status", [413, 500])
def test_a_large_body_is_refused_and_a_smaller_one_is_not(
    dial: Dial, client: httpx.Client, status: int
) -> None:
    right = client.get("/orders", params={"limit": 2})
    dial(f"{status}-when-large", number=len(right.content))

    answers = [client.get("/orders", params={"limit": limit}) for limit in (3, 2)]

    assert [answer.status_code for answer in answers] == [status, 200]
    assert answers[1].content == right.content


def test_the_log_tells_who_followed_to_another_host_and_whether_with_the_key(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    dial("redirect", times=1)

    answer = client.get("/orders")
    for headers in ({}, KEY):
        httpx.get(answer.headers["location"], headers=headers, verify=NOBODY, timeout=None)

    port = httpx.URL(sandbox.base_url).port
    assert (answer.status_code, answer.headers["location"]) == (
        302,
        f"http://localhost:{port}/elsewhere",
    )
    assert [(entry.path, entry.status) for entry in sandbox.requests.entries()][1:] == [
        ("/elsewhere", 401),
        ("/elsewhere", 404),
    ]
