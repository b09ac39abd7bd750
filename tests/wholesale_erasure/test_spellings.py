"""Spellings: who was erased is recognised however it is written, in whatever column it stands."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dlt
import duckdb
import pytest
from dlt.pipeline.exceptions import PipelineStepFailed

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale import wholesale_source
from wholesale.errors import ConfigurationError
from wholesale_erasure.erasing import erase
from wholesale_erasure.mentions import FOREIGN, FREE, SAME_NAME, WRITTEN, Mention
from wholesale_erasure.receipt import Receipt, verify
from wholesale_sandbox.server import Sandbox

LATER = {"updated_at": "2026-05-01T00:00:00Z"}
MAIL, PHONE, NAME = "xyz@quux.test", "+1 555 0199 7731", "Jürgen Quux"
SPELLED = {
    "shipping_email": [
        "XYZ@QUUX.TEST",
        " xyz@quux.test\t",
        "Quux <xyz@quux.test>",
        "xyz@qu\N{SOFT HYPHEN}ux.test",
        "\N{FULLWIDTH LATIN SMALL LETTER X}yz@quux.test",
        '"xyz"@Quux.Test',
    ],
    "shipping_phone": [
        "+1-555-0199-7731",
        "001 555 0199 7731",
        "tel:+1.555.0199.7731",
        "\N{FULLWIDTH PLUS SIGN}1 555 0199 \N{FULLWIDTH DIGIT SEVEN}731",
        "+1\N{NO-BREAK SPACE}555\N{NO-BREAK SPACE}01997731",
        "155501997731",
    ],
    "billing_name": [
        "JÜRGEN  QUUX",
        "Ju\N{COMBINING DIAERESIS}rgen Quux",
        " Jürgen\N{NO-BREAK SPACE}Quux ",
        "Jürgen Q\N{ZERO WIDTH SPACE}uux",
        "jürgen quux",
        "\N{FULLWIDTH LATIN CAPITAL LETTER J}ürgen Quux",
    ],
}
"""Of each kind, as the service may write it elsewhere."""
NUMBER_OF = len(SPELLED["billing_name"])
TELLING = ", ".join(SPELLED)


def others(at: str) -> Iterator[dict[str, Any]]:
    """Orders of a colleague that have these spellings, and one of somebody else."""
    for index in range(NUMBER_OF):
        spelled = {name: texts[index] for name, texts in SPELLED.items()}
        yield order(
            f"{at}{index}", buyer_id=guid("B"), buyer_user_id=guid("P2"), **spelled, **LATER
        )
    yield order(
        f"{at}-other",
        buyer_id=guid("C"),
        shipping_email="abc@quux.test",
        shipping_phone="+1 555 0199 7732",
        billing_name="JÜRGEN QUUX",
        **LATER,
    )


OTHER = ("abc@quux.test", "+1 555 0199 7732", "JÜRGEN QUUX")


@pytest.fixture
def served(sandbox: Sandbox) -> Sandbox:
    stamps = {"created_at": "2026-01-01T10:00:00Z", "updated_at": "2026-01-02T10:00:00Z"}
    for name in "BC":
        sandbox.put("buyers", {"id": guid(name), "company_name": name, **stamps})
    person = {"full_name": NAME, "email": MAIL, "phone": PHONE}
    of_buyer = {"buyer_id": guid("B"), **stamps}
    sandbox.put("buyer_users", {"id": guid("P1"), **person, **of_buyer})
    sandbox.put("buyer_users", {"id": guid("P2"), "full_name": "Other", **of_buyer})
    sandbox.put("orders", order("own", buyer_id=guid("B"), buyer_user_id=guid("P1")))
    return sandbox


@pytest.fixture
def load(loader: Loader) -> Callable[[], None]:
    return lambda: _load(loader)


def _load(loader: Loader) -> None:
    loader.load("buyers", "buyer_users", "orders", "vendors", "items")


def test_an_erasure_finds_every_spelling_and_what_only_an_undocumented_field_says(
    served: Sandbox, loader: Loader, load: Callable[[], None]
) -> None:
    for record in others("before"):
        served.put("orders", record)
    load()

    receipt = erase(loader.warehouse, guid("P1"))

    assert loader.rows(f"select {TELLING} from orders group by all order by all") == [
        OTHER,
        (None, None, None),
    ]
    assert receipt.mentions == [Mention("orders", "billing_name", 1, SAME_NAME)]
    assert verify(receipt, loader.warehouse) == []


def test_a_sync_keeps_every_spelling_out(
    served: Sandbox, loader: Loader, load: Callable[[], None]
) -> None:
    load()
    receipt = erase(loader.warehouse, guid("P1"))
    for record in others("after"):
        served.put("orders", record)
    served.put(
        "buyer_users", {"id": guid("P3"), "buyer_id": guid("B"), "email": f" {MAIL.upper()}"}
    )

    load()

    assert loader.rows(f"select {TELLING} from orders group by all order by all") == [
        OTHER,
        (None, None, None),
    ]
    assert loader.rows("select count(email), count(phone) from buyer_users") == [(0, 0)]
    assert verify(receipt, loader.warehouse) == []


UNDOCUMENTED = {
    "phone": PHONE,
    "mobile": "+1 (555) 0199-7731",
    "shippingPhone": PHONE,
    "contacts": [{"email": MAIL}, {"phone": 155501997731}],
    "alternative": MAIL,
}


@pytest.mark.parametrize("resource", ["buyers", "buyer_users"])
@pytest.mark.parametrize("field", UNDOCUMENTED)
def test_a_contact_in_an_undocumented_field_is_a_contact(
    served: Sandbox, loader: Loader, load: Callable[[], None], resource: str, field: str
) -> None:
    record = {"id": guid("D"), "buyer_id": guid("B"), field: UNDOCUMENTED[field], **LATER}
    served.put(resource, record)
    served.put("orders", order("other", shipping_phone=PHONE, shipping_email=MAIL))
    load()
    told = {"shipping_email"} if field == "alternative" else {"shipping_phone"}
    told |= {"shipping_email"} if field == "contacts" else set()

    erase(loader.warehouse, guid("D"))

    [found] = loader.rows(
        "select shipping_email, shipping_phone from orders where order_number = 'other'"
    )
    emptied = {
        name
        for name, value in zip(("shipping_email", "shipping_phone"), found, strict=True)
        if value is None
    }
    assert emptied == told


WRITTEN_IN = {
    "memo": f"ask {MAIL.upper()}",
    "shippingEmail2": MAIL,
    "po_number": f"call {PHONE}, ext. 7",
    "shipping_city": "1 (555) 0199-7731",
    "sub_total": f"{MAIL} pays",
    "tree": {"to": [{"line\n": f'x\n{MAIL}\t"'}]},
    "list": [{"tel": 155501997731}],
    "order_comments": [{"author": "Other", "body": f"told {MAIL}", "note": {"to": [PHONE]}}],
    "order_line_items": [line("x", engraving=f"for {MAIL}")],
}
"""A contact of somebody in fields of an order that are for others, or undocumented."""
WITHOUT = {
    "memo": "ask abc@quux.test",
    "po_number": "call 1 555 0199 773",
    "shipping_city": "555 0199",
    "tree": {"to": ["none", "5550199773"]},
    "order_comments": [{"author": "Other", "body": "told them", "note": {"to": ["+1 555"]}}],
    "order_line_items": [line("x", engraving="for 2026-01-01 10:00")],
}
"""The like of somebody else."""


@pytest.mark.parametrize("is_after", [False, True])
def test_a_contact_is_kept_out_of_every_field_that_may_be_personal(
    served: Sandbox, loader: Loader, load: Callable[[], None], is_after: bool
) -> None:
    def put() -> None:
        of_others = {"buyer_id": guid("C"), **LATER}
        served.put("orders", order("named", **of_others, **WRITTEN_IN))
        served.put("orders", order("like", **of_others, **WITHOUT))
        served.put("vendors", {"id": guid("V"), "name": "V", "memo": MAIL, **LATER})

    for step in [load, put] if is_after else [put, load]:
        step()
    receipt = erase(loader.warehouse, guid("P1"))
    load()

    assert verify(receipt, loader.warehouse) == []
    columns = "memo, po_number, shipping_city, tree, order_number"
    kept = tuple(WITHOUT[name] for name in ("memo", "po_number", "shipping_city"))
    assert loader.rows(f"select {columns} from orders where order_number <> 'own' order by 1") == [
        (*kept, '{"to":["none","5550199773"]}', "like"),
        (None, None, None, None, "named"),
    ]
    assert loader.rows("select engraving from orders__order_line_items order by 1") == [
        ("for 2026-01-01 10:00",),
        (None,),
    ]
    assert loader.rows("select body, note from orders__order_comments order by 1") == [
        ("told them", '{"to":["+1 555"]}'),
        (None, None),
    ]
    assert loader.rows("select memo from vendors") == [(None,)]
    if is_after:
        assert MAIL not in str(loader.contents()).lower()


def test_what_stands_for_no_contact_is_no_contact_elsewhere(
    served: Sandbox, loader: Loader, load: Callable[[], None]
) -> None:
    served.put("buyer_users", {"id": guid("P4"), "buyer_id": guid("B"), "phone": "n/a"})
    served.put("orders", order("other", po_number="n/a", memo="N/A", buyer_id=guid("C")))
    load()

    receipt = erase(loader.warehouse, guid("P4"))
    load()

    assert loader.rows("select po_number, memo from orders where memo is not null") == [
        ("n/a", "N/A")
    ]
    assert verify(receipt, loader.warehouse) == []


def free(name: str) -> dict[str, Any]:
    """Records that name somebody where no person is expected."""
    said = f"for {name.upper()}, or like"
    return {
        "orders": order(
            f"FREE {name}",
            status=f"reserved for {name}",
            po_number=said,
            buyer_id=guid("C"),
            shipping_city=said,
            order_line_items=[line("x", title=said, engraving=said)],
            order_comments=[{"author": "Other", "body": said, "note": {"to": [said]}}],
            sub_total=f"{name} pays",
            **LATER,
        ),
        "items": {"id": guid("item"), "title": said, "description": f"asked by {MAIL.upper()}"},
        "vendors": {"id": guid("V"), "name": "V", "order_terms": said, **LATER},
    }


FOUND = {
    ("orders", "order_number"): FREE,
    ("orders", "status"): FREE,
    ("orders", "po_number"): WRITTEN,
    ("orders", "shipping_city"): WRITTEN,
    ("orders", "_extra"): WRITTEN,
    ("orders__observations", "status"): FREE,
    ("orders__order_line_items", "title"): FREE,
    ("orders__order_line_items", "engraving"): WRITTEN,
    ("orders__order_comments", "body"): WRITTEN,
    ("orders__order_comments", "note"): WRITTEN,
    ("items", "title"): FREE,
    ("items", "description"): FREE,
    ("vendors", "order_terms"): FREE,
    ("sync_changes", "name"): FREE,
    ("sync_changes", "after"): FREE,
}


def test_what_names_them_anywhere_is_told_by_column_and_never_called_gone(
    served: Sandbox, loader: Loader, load: Callable[[], None], tmp_path: Path
) -> None:
    load()
    for resource, record in free(NAME).items():
        served.put(resource, record)
    load()

    receipt = erase(loader.warehouse, guid("P1"))

    told = {(each.table, each.column): each.why for each in receipt.mentions}
    assert told == {place: why for place, why in FOUND.items() if place in told}
    assert set(FOUND) - set(told) <= {("sync_changes", "after"), ("sync_changes", "name")}
    assert verify(receipt, loader.warehouse) == []
    receipt.write(tmp_path / "receipt.json")
    kept = Receipt.read(tmp_path / "receipt.json")
    assert (kept.is_genuine, kept.searched, kept.not_reached) == (
        True,
        receipt.searched,
        receipt.not_reached,
    )
    assert set(kept.searched) == {"wholesale_raw"}


def test_the_name_of_a_company_is_looked_for_too_and_stays_that_of_others(
    served: Sandbox, loader: Loader, load: Callable[[], None]
) -> None:
    served.put("buyers", {"id": guid("D"), "company_name": "Söhne & Co", **LATER})
    served.put("vendors", {"id": guid("V"), "name": "V", "order_terms": "as SÖHNE  & CO", **LATER})
    load()

    receipt = erase(loader.warehouse, guid("D"))

    assert receipt.mentions == [Mention("vendors", "order_terms", 1, FREE)]
    assert loader.rows("select order_terms from vendors") == [("as SÖHNE  & CO",)]
    assert loader.rows("select kind from privacy_erased") == [("buyer",)]


def test_the_number_that_they_gave_their_order_goes_with_them(
    served: Sandbox, loader: Loader, load: Callable[[], None]
) -> None:
    of_person = {"buyer_id": guid("B"), "buyer_user_id": guid("P1")}
    served.put("orders", order("own", po_number=f"{NAME}'s", **of_person, **LATER))
    served.put("orders", order("other", po_number="4711", buyer_id=guid("C")))
    load()

    erase(loader.warehouse, guid("P1"))
    load()

    numbers = "select order_number, po_number from orders order by all"
    assert loader.rows(numbers) == [("other", "4711"), ("own", None)]


def test_copies_in_other_schemas_are_told_and_hold_no_receipt_until_they_are_gone(
    served: Sandbox, loader: Loader, load: Callable[[], None]
) -> None:
    load()
    loader.execute(
        "create schema kept; create table kept.people as from buyer_users;"
        " create table kept.names as select upper(full_name) as who from buyer_users;"
        " create table kept.mails as select {'mail': email} as what from buyer_users;"
        " create schema wholesale_raw_staging;"
        " create table wholesale_raw_staging.buyer_users as from buyer_users"
    )

    receipt = erase(loader.warehouse, guid("P1"))

    assert {(each.table, each.column, each.why) for each in receipt.mentions} == {
        ("kept.people", "full_name", FOREIGN),
        ("kept.people", "email", FOREIGN),
        ("kept.people", "phone", FOREIGN),
        ("kept.names", "who", FOREIGN),
        ("kept.mails", "what", FOREIGN),
    }
    faults = verify(receipt, loader.warehouse)
    assert {fault.split()[0].removesuffix(",") for fault in faults} >= {
        "kept.people",
        "kept.people.full_name",
        "kept.people.email",
        "kept.names.who",
    }
    loader.execute("drop schema kept cascade")
    assert verify(receipt, loader.warehouse) == []


def test_what_comes_back_past_all_syncs_is_not_kept_as_what_was(
    served: Sandbox, loader: Loader, load: Callable[[], None]
) -> None:
    load()
    receipt = erase(loader.warehouse, guid("P1"))
    loader.execute(
        f"update buyer_users set full_name = '{NAME}', email = '{MAIL}' where id = '{guid('P1')}';"
        f"update orders set billing_name = '{NAME}', shipping_name = 'J' where order_number = 'own'"
    )
    assert len(verify(receipt, loader.warehouse)) == 2

    load()

    assert verify(receipt, loader.warehouse) == []
    assert "Quux" not in str(loader.contents())
    assert MAIL not in str(loader.contents())


def plain(loader: Loader, dataset: str) -> Any:
    return dlt.pipeline(
        f"plain_{dataset}",
        destination=dlt.destinations.duckdb(str(loader.warehouse.database)),
        dataset_name=dataset,
        pipelines_dir=str(loader.warehouse.database.parent / "pipelines"),
    )


def test_a_plain_pipeline_brings_nobody_back(
    served: Sandbox, loader: Loader, load: Callable[[], None]
) -> None:
    def run(dataset: str) -> None:
        source = wholesale_source(base_url=served.base_url, api_key="sandbox")
        plain(loader, dataset).run(source.with_resources("buyers", "buyer_users", "orders"))

    run("wholesale_raw")
    run("wholesale_raw")
    load()
    receipt = erase(loader.warehouse, guid("P1"))
    before = loader.contents()
    with duckdb.connect(str(loader.warehouse.database)) as connection:
        schemas = connection.execute("select schema_name from duckdb_tables() group by 1")
        assert schemas.fetchall() == [("wholesale_raw",)]
    requests = len(served.requests.entries())

    with pytest.raises(PipelineStepFailed) as raised:
        run("wholesale_raw")

    assert isinstance(raised.value.__cause__, ConfigurationError)
    assert len(served.requests.entries()) == requests
    assert loader.contents() == before
    assert verify(receipt, loader.warehouse) == []
