"""A fault applies to the reads that its rule names, the same ones for a seed."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx

from wholesale_sandbox.faults.schedule import FaultRule, FaultSchedule, Read
from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]
START = datetime(2026, 1, 1, tzinfo=UTC)


def test_the_first_attempt_fails_and_the_second_does_not(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    dial("500-html", share=0.3, first=True)
    urls = [f"/orders?page={page}" for page in range(1, 201)]

    first = {url: client.get(url).status_code for url in urls}
    second = [client.get(url).status_code for url in reversed(urls)]
    sandbox.dials.change({"faults": sandbox.dials.faults})
    again = {url: client.get(url).status_code for url in reversed(urls)}

    assert 40 < list(first.values()).count(500) < 80
    assert second == [200] * 200
    assert again == first


def test_a_fault_applies_to_the_resources_named_so_often_at_most(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    dial("empty", resources=["orders", "variants"], times=2)
    sandbox.put("items", {"id": "i"})

    paths = ["/items", "/orders/o1", "/items/i", "/items/i/variants", "/orders"]
    bodies = [client.get(path).content != b"" for path in paths]

    assert bodies == [True, False, True, False, True]
    sandbox.delete("items", "i")


def test_faults_leave_writes_alone(dial: Dial, client: httpx.Client) -> None:
    dial("500-html")

    created = client.post("/brands", json={"brand": {"title": "Kiste"}})
    deleted = client.delete(f"/brands/{created.json()['id']}")

    assert (created.status_code, deleted.status_code) == (201, 204)


def test_faults_of_one_request_add_up(sandbox: Sandbox, dial: Dial, client: httpx.Client) -> None:
    dial("total-zero", "byte-order-mark")

    body = client.get("/orders").content

    assert json.loads(body.decode("utf-8-sig"))["pagination"]["total_count"] == 0
    assert body.startswith(b"\xef\xbb\xbf")
    assert sandbox.requests.entries()[-1].faults == ("total-zero", "byte-order-mark")


def test_a_steady_fault_meets_every_attempt_of_a_url_or_none(
    dial: Dial, client: httpx.Client
) -> None:
    dial("404", share=0.3, steady=True)
    urls = [f"/orders?page={page}" for page in range(1, 101)]

    passes = [[client.get(url).status_code for url in urls] for _ in range(3)]

    assert passes == [passes[0]] * 3
    assert 15 < passes[0].count(404) < 45


def test_a_fault_lasts_from_when_it_first_applied() -> None:
    schedule = FaultSchedule([FaultRule("503-after-nothing", after=1, lasts=30)], seed=0)

    def names(second: float) -> list[str]:
        now = START + timedelta(seconds=second)
        drawn = schedule.draw(Read("list_orders", "/orders"), now)
        return [active.fault.name for active in drawn]

    met = [names(second) for second in (0, 100, 120, 129.9, 130, 1000)]

    assert met == [[], *[["503-after-nothing"]] * 3, [], []]
