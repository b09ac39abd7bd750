"""Strange values stand in stored records: lists, single reads and the truth show the same."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from support.few import few
from support.services.trust import NOBODY
from wholesale_sandbox.faults.plants import Plant, PlantError, plant
from wholesale_sandbox.faults.registry import PLANTED
from wholesale_sandbox.server import Sandbox, SandboxError
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.database import Storage

KEY = {"X-API-Key": "sandbox"}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(orders=100)) as running:
        yield running


def planted(sandbox: Sandbox, fault: str, **more: Any) -> dict[str, str]:
    response = httpx.post(
        f"{sandbox.admin_url}/plants", json={"fault": fault, **more}, verify=NOBODY, timeout=None
    )
    (done,) = response.json()
    return dict(done)


@pytest.mark.slow
@pytest.mark.parametrize("fault", few(PLANTED, 9))
def test_every_answer_and_the_truth_show_what_was_planted(sandbox: Sandbox, fault: str) -> None:
    done = planted(sandbox, fault)

    single = httpx.get(
        f"{sandbox.base_url}/orders/{done['id']}",
        params={"verbose": "true"},
        headers=KEY,
        verify=NOBODY,
        timeout=None,
    )
    verbose = httpx.get(
        f"{sandbox.base_url}/orders",
        params={"limit": 250, "verbose": "true"},
        headers=KEY,
        verify=NOBODY,
        timeout=None,
    )

    assert done == {"fault": fault, "resource": "orders", "id": done["id"]}
    assert single.content in verbose.content
    truth = httpx.get(
        f"{sandbox.admin_url}/truth/orders", verify=NOBODY, timeout=None
    ).content.splitlines()
    assert single.content in truth
    assert len(truth) == 100


def test_a_resource_without_such_a_field_is_said() -> None:
    storage = Storage()
    storage.collection("brands").put("b", b'{"id":"b","title":"Kiste"}')

    with pytest.raises(PlantError) as refused:
        plant(storage, [Plant("nul", ["brands"]), Plant("amount-comma", ["brands"])], 1)

    assert (
        str(refused.value)
        == "amount-comma: only 0 of the brands can have it; serve more, or plant less"
    )
    assert storage.collection("brands").get("b") == b'{"id":"b","title":"Kiste"}'
    storage.close()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"fault": "html"}, "no stored record can have html"),
        ({"fault": "id-null", "resources": ["order"]}, "there are no order;"),
        ({"fault": "id-null", "times": 0}, "a plant does not fit"),
        ({"fault": "id-null", "share": 1}, "a plant does not fit"),
    ],
)
def test_what_cannot_be_planted_is_said_in_one_line(values: dict[str, Any], told: str) -> None:
    settings = SandboxSettings(orders=3, plants=[values])

    with pytest.raises(SandboxError, match=told) as refused, Sandbox(settings):
        pass

    assert "\n" not in str(refused.value)


def test_the_admin_port_refuses_what_cannot_be_planted(sandbox: Sandbox) -> None:
    for values in ({"fault": "html"}, {"fault": "id-null", "times": 0}, [1]):
        assert (
            httpx.post(
                f"{sandbox.admin_url}/plants", json=values, verify=NOBODY, timeout=None
            ).status_code
            == 422
        )


def test_a_seed_plants_in_the_same_records_again() -> None:
    def ids(seed: int) -> list[str]:
        storage = Storage()
        for number in range(50):
            storage.collection("brands").put(f"b{number}", b'{"id":"b%d","title":"x"}' % number)
        done = plant(storage, [Plant("nul", ["brands"], times=5)], seed)
        storage.close()
        return [planted.id for planted in done]

    assert ids(1) == ids(1)
    assert ids(1) != ids(2)
    assert len(set(ids(1))) == 5
