"""The call sheet by its keys: who is at hand, and whom somebody called."""

import re
from collections.abc import Callable, Sequence
from io import BytesIO

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.publication import Publication
from wholesale_elt.publish.publisher import publish_marts

pytestmark = pytest.mark.browser

ON_PAPER = 4
"""Rows of a list of a block that stands on half a sheet."""
SOON = {"BUILD__LATE_PERCENTILE": "0.5", "BUILD__LATE_MINIMUM_ORDERS": "2"}


@pytest.fixture(scope="module")
def silent_world(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Publication:
    """A business that calls its buyers silent soon."""
    marts = loaded.copy(tmp_path_factory.mktemp("calls"))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SOON.items():
            patch.setenv(name, value)
        marts.build()
    folder = marts.database.parent / "published"
    publish_marts(marts.warehouse, str(folder))
    return Publication(folder)


@pytest.fixture(scope="module")
def silent(silent_world: Publication) -> Sequence[tuple[str, str]]:
    """Whom to call, in the order of the sheet."""
    rows = silent_world.rows(
        "select buyer_id, buyer_name from wholesale_bi.rpt_call_sheet"
        " order by call_reason = 'silent' desc, position"
    )
    assert len(rows) > 1
    return [(str(buyer), str(name)) for buyer, name in rows]


def test_keys_go_through_the_sheet_and_the_address_tells_who_is_at_hand(
    visit: Callable[..., Visit], silent_world: Publication, silent: Sequence[tuple[str, str]]
) -> None:
    window = visit(silent_world.folder)
    window.open("calls")
    here = window.page.locator(".call[data-here] h2")
    expect(here).to_have_text(silent[0][1])
    window.page.keyboard.press("n")
    expect(here).to_have_text(silent[1][1])
    assert window.page.url.endswith(f"#/calls?at={silent[1][0]}")
    expect(here).to_be_in_viewport()
    window.page.reload()
    expect(here).to_have_text(silent[1][1])
    window.page.keyboard.press("p")
    expect(here).to_have_text(silent[0][1])


def test_a_call_is_one_tick_on_all_pages(
    visit: Callable[..., Visit], silent_world: Publication, silent: Sequence[tuple[str, str]]
) -> None:
    window = visit(silent_world.folder)
    buyer, name = silent[0]
    window.open(f"calls?at={buyer}")
    window.page.keyboard.press("c")
    expect(window.page.locator(".call.done h2")).to_have_text(name)
    window.open(f"buyer/{buyer}")
    expect(window.page.get_by_role("button", name="Called")).to_have_attribute(
        "aria-pressed", "true"
    )
    window.open()
    done = window.page.get_by_label(f"Done: Call {name}", exact=True)
    expect(done).to_be_checked()
    done.uncheck()
    window.open("calls")
    expect(window.page.locator(".call.done")).to_have_count(0)


def test_paper_says_how_much_of_what_a_buyer_takes_it_has_no_room_for(
    visit: Callable[..., Visit], silent_world: Publication
) -> None:
    counts = silent_world.rows("select usual_product_count from wholesale_bi.rpt_call_sheet")
    assert any(count > ON_PAPER for (count,) in counts)
    window = visit(silent_world.folder)
    window.open("calls")
    printed = PdfReader(BytesIO(window.page.pdf(format="A4")))
    text = " ".join(" ".join(sheet.extract_text() for sheet in printed.pages).split())
    assert sorted(map(int, re.findall(r"(\d+) more it usually takes", text))) == sorted(
        count - ON_PAPER for (count,) in counts if count > ON_PAPER
    )


def test_paper_has_lines_to_write_on_and_no_buttons(
    visit: Callable[..., Visit], silent_world: Publication
) -> None:
    window = visit(silent_world.folder)
    window.open("calls")
    lines = window.page.locator(".call-lines").first
    expect(lines).to_be_hidden()
    window.page.emulate_media(media="print")
    expect(lines).to_be_visible()
    expect(window.page.locator(".call-acts").first).to_be_hidden()
