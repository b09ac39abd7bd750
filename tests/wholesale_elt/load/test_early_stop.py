"""The head of a list stands for all of it only where nothing else tells of older records."""

from dataclasses import replace

import pytest

from conftest import Loader
from support.records.samples import guid, order
from wholesale.api import ServiceFacts
from wholesale_sandbox.server import Sandbox

ORDERS = 12
RESOURCES = ("vendors", "buyers", "orders")


def put(sandbox: Sandbox, vendor: str, buyer: str = "Buyer") -> None:
    """Every order, the vendor and the buyer, under these names; no order gets a new version."""
    for number in range(ORDERS):
        at = f"2026-01-{1 + number:02}T10:00:00Z"
        names = {"vendor_name": vendor, "buyer_company_name": buyer}
        keys = {"vendor_id": guid("vendor"), "buyer_id": guid("buyer")}
        sandbox.put("orders", order(f"{number:02}", created_at=at, updated_at=at, **names, **keys))
    sandbox.put("vendors", {"id": guid("vendor"), "name": vendor})
    sandbox.put("buyers", {"id": guid("buyer"), "company_name": buyer})


@pytest.fixture
def loader(loader: Loader) -> Loader:
    """It knows that an edit moves an order to the head of the list."""
    facts = ServiceFacts(newest_change_first=True)
    return replace(loader, settings=loader.settings.model_copy(update={"service": facts}))


@pytest.mark.slow
@pytest.mark.parametrize("renamed", [("New", "Buyer"), ("Vendor", "New")])
def test_a_renamed_vendor_or_buyer_leads_to_the_orders_that_carry_the_old_name(
    sandbox: Sandbox, loader: Loader, renamed: tuple[str, str]
) -> None:
    sandbox.dials.change({"list_order": {"orders": "updated"}})
    put(sandbox, "Vendor")

    def load() -> list[str]:
        outcome = loader.load(*RESOURCES)
        assert outcome.is_complete
        return [row.strategy for row in outcome.certificates if row.resource == "orders"]

    assert [load(), load()] == [["manifest"], ["early stop"]]

    put(sandbox, *renamed)

    assert load() == ["manifest"]
    assert loader.rows("select distinct vendor_name, buyer_company_name from orders") == [renamed]
    assert load() == ["early stop"]


def test_orders_that_keep_the_name_they_were_placed_under_cost_one_sweep(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.dials.change({"list_order": {"orders": "updated"}})
    put(sandbox, "Vendor")
    loader.load(*RESOURCES)
    sandbox.put("vendors", {"id": guid("vendor"), "name": "New"})

    found = [loader.load(*RESOURCES).certificates[-1] for _ in range(2)]

    assert [row.strategy for row in found] == ["manifest", "early stop"]
    assert loader.rows("select distinct vendor_name from orders") == [("Vendor",)]
