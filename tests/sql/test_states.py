"""States: what each word of a service means is set, and stands nowhere else."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from support.warehouses.marts import Marts
from support.warehouses.words import PAID, WORDS, renamed, renamed_throughout, set_words
from wholesale.errors import ConfigurationError
from wholesale_elt.models.settings import ModelSettings, read_settings

MEANT = (
    "select order_id, order_standing, payment_standing, is_cancelled, is_sale, is_refunded"
    " from wholesale_marts.fct_orders order by order_id",
    "select order_standing, order_count, amount from (select standing as order_standing,"
    " sum(order_count) as order_count, sum(amount) as amount from wholesale_bi.rpt_order_states"
    " group by standing) order by order_standing",
    "select order_id, field_name, standing_before, standing_after"
    " from wholesale_marts.fct_order_status_changes"
    " where standing_before <> standing_after order by all",
)


@pytest.mark.slow
@pytest.mark.parametrize(("words", "paid"), [*zip(WORDS, PAID, strict=True)])
def test_other_words_mean_the_same_once_they_are_set(
    built: Marts,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: Mapping[str, str],
    paid: Mapping[str, str],
) -> None:
    before = [built.rows(sql) for sql in MEANT]
    marts = built.copy(tmp_path)
    marts.change(*renamed_throughout(words, paid))
    set_words(monkeypatch, {**words, **paid})

    marts.build("rpt_order_states", "fct_order_status_changes")

    assert [marts.rows(sql) for sql in MEANT] == before


@pytest.mark.slow
def test_states_of_the_past_mean_what_they_meant_by_default(
    built: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders that a service gave new words overnight took no step by that."""
    before = [built.rows(sql) for sql in MEANT]
    marts = built.copy(tmp_path)
    marts.change(*renamed("status", WORDS[0]))
    set_words(monkeypatch, WORDS[0])

    marts.build("rpt_order_states", "fct_order_status_changes")

    assert [marts.rows(sql) for sql in MEANT] == before


@pytest.mark.slow
def test_words_that_nobody_set_are_asked_for_with_what_is_in_them(
    built: Marts, tmp_path: Path
) -> None:
    marts = built.copy(tmp_path)
    marts.change(*renamed("status", WORDS[0]))
    marts.build("rpt_order_states")
    asked = marts.rows(
        "select state, order_count, amount from wholesale_bi.rpt_order_states"
        " where standing = 'unknown' and state is not null and order_count > 0 order by state"
    )
    assert asked == marts.rows(
        "select order_status, count(*), sum(coalesce(sub_total, total))"
        " from wholesale_marts.fct_orders where not is_deleted and order_standing = 'unknown'"
        " group by 1 order by 1"
    )
    assert {state for state, *_ in asked} == set(WORDS[0].values())


@pytest.mark.parametrize(
    ("settings", "state", "standing"),
    [
        ({}, "received", "waiting"),
        ({"waiting_order_statuses": ["placed"]}, "received", None),
        ({"sent_order_statuses": ["Delivered"]}, "delivered", "sent"),
        ({"cancelled_order_statuses": ["received"]}, "received", "cancelled"),
        ({"returned_order_statuses": ["sent back"]}, "sent back", "returned"),
        ({}, "refunded", "refunded"),
        ({"settled_payment_statuses": ["paid", "refunded"]}, "refunded", "refunded"),
        ({"open_payment_statuses": ["refunded"]}, "refunded", "open"),
        (
            {"settled_payment_statuses": ["x"], "refunded_payment_statuses": ["x"]},
            *("x", "refunded"),
        ),
        ({"settled_payment_statuses": ["x"], "refunded_payment_statuses": []}, "x", "settled"),
    ],
)
def test_what_is_set_goes_before_defaults(
    settings: Mapping[str, Sequence[str]], state: str, standing: str | None
) -> None:
    states = ModelSettings.model_validate(settings).states()
    assert {each.state: each.standing for each in states if not each.is_past}.get(state) == standing


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("waiting_order_statuses", "sent_order_statuses"),
        ("cancelled_order_statuses", "returned_order_statuses"),
        ("open_payment_statuses", "settled_payment_statuses"),
        ("open_payment_statuses", "refunded_payment_statuses"),
    ],
)
def test_a_state_that_was_set_to_mean_two_things_is_refused(
    monkeypatch: pytest.MonkeyPatch, one: str, other: str
) -> None:
    monkeypatch.setenv(f"BUILD__{one.upper()}", "a,twice")
    monkeypatch.setenv(f"BUILD__{other.upper()}", "twice ,b")
    with pytest.raises(ConfigurationError) as caught:
        read_settings()
    assert all(name in str(caught.value) for name in (one, other, "twice"))
