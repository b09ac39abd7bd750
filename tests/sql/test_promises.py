"""Promises to ship: which words of vendors say them, and which were seen to be kept."""

import json
from collections.abc import Mapping
from pathlib import Path

import duckdb
import psycopg2
import pytest

from sql.recomputation import built_at, differences
from sql.recomputation.books import Books, Settings, read
from sql.recomputation.promises import promises
from support.warehouses.destinations import differences_in
from support.warehouses.marts import Marts
from support.warehouses.rendered import POSTGRES, called
from wholesale.errors import ConfigurationError
from wholesale_elt.figures import Question, ask
from wholesale_elt.inspect import read_overview
from wholesale_elt.models.settings import read_settings

Said = Mapping[str, object]
TIMES: Said = {
    "2 days": 2,
    "1-3 business days": 3,
    "1 - 2 Days.": 2,
    "3 to 5 working days": 5,
    "5\u20137 days": 7,
    "10 to 5 days": 10,
    "1 day": 1,
    "0 days": 0,
    "3d": 3,
    "within 48 hours": 2,
    "24-48 hrs": 2,
    "1 week": 7,
    "2-3 weeks": 21,
    "same day": 0,
    "Next-business day": 1,
    "2 weekdays": 2,
    "4 calendar days": 4,
    "\u00a03\tdays ": 3,
    "2": None,
    "12 hours": None,
    "50 hours": None,
    "two days": None,
    "2 4 days": None,
    "2-3-4 days": None,
    "1 month": None,
    "made to order": None,
    "3 days after payment": None,
    "about 3 days": None,
    "1000 days": None,
    "-3 days": None,
    "2.5 days": None,
}
KINDS: Said = {
    "business_days": True,
    "Business Days only": True,
    "weekdays": True,
    "Mon-Fri": True,
    "monday to friday": True,
    "calendar_days": False,
    "all days": False,
    "daily": False,
    "Mon - Sun": False,
    "Tuesdays": None,
    "business_hours": None,
    "Mon-Thu": None,
}
CUT_OFFS: Said = {
    "14:30": 870,
    "9:05": 545,
    "00:00": 0,
    "17:00:00": 1020,
    "2 PM": 840,
    "2:15 p.m.": 855,
    "12am": 0,
    "12:30 pm": 750,
    "24:00": None,
    "14": None,
    "noon": None,
    "2 PM EST": None,
    "13 pm": None,
    "14:3": None,
    "12:00-14:00": None,
}
WEEKDAYS: Said = {
    '["monday", "wednesday","friday"]': "1010100",
    '["Tue","Thurs"]': "0101000",
    '["sundays", "Sat"]': "0000011",
    '["Mon-Fri"]': "1111100",
    '"weekdays"': "1111100",
    '["daily"]': "1111111",
    '["monday","monday"]': "1000000",
    '["monday","holidays"]': None,
    '["Mon-Thu"]': None,
    "[1, 2]": None,
    '{"monday": true}': None,
    '["monday",]': None,
    '["m"]': None,
}
READ: Mapping[str, Said] = {
    "days_in_processing(small_words('said'), 'false')": TIMES,
    "is_in_business_days(\"'2 days'\", small_words('said'))": KINDS,
    "minute_in(small_words('said'))": CUT_OFFS,
    "weekdays_in('said')": WEEKDAYS,
}


@pytest.mark.parametrize("macro", READ)
def test_words_that_say_what_they_mean_are_read_and_no_others(macro: str) -> None:
    said = READ[macro]
    sql = called(macro)
    with duckdb.connect() as connection:
        found = connection.execute(
            f"select said, {sql} from (select unnest(?) as said)", [list(said)]
        ).fetchall()
    assert dict(found) == said


@pytest.mark.parametrize("macro", READ)
def test_postgresql_reads_the_same(socket: str, macro: str) -> None:
    said = READ[macro]
    sql = called(macro, POSTGRES)
    with psycopg2.connect(host=socket, user="postgres", dbname="postgres") as connection:
        cursor = connection.cursor()
        cursor.execute(
            f"select said, {sql.replace('%', '%%')}"
            " from json_array_elements_text(%s) as each (said)",
            [json.dumps(list(said))],
        )
        assert dict(cursor.fetchall()) == said


def test_what_words_mean_is_a_table_of_words_that_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {"Made to  order": "9 Business days", "Noon": "12:00", "mon/wed": "monday,  wednesday"}
    monkeypatch.setenv("BUILD__PROCESSING", json.dumps(told))
    assert read_settings().processing == {
        "madetoorder": "9 business days",
        "noon": "12:00",
        "mon/wed": "monday, wednesday",
    }


@pytest.mark.parametrize(
    "told",
    [
        *("x", "[]", "3", "{", '{"a": 3}', '{"a": "3 days"}', '{"a": "soon"}', '{"a": "25:00"}'),
        *('{"a": null}', '{"a": "monday or so"}', '{"a b": "12:00", "AB": "12:01"}'),
    ],
)
def test_meanings_that_cannot_be_right_are_refused(
    monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setenv("BUILD__PROCESSING", told)
    with pytest.raises(ConfigurationError, match=r"build\.processing"):
        read_settings()


SET = {"soon": "3 business days", "noon": "12:00", "": "20 calendar days"}
TIMES_SAID = ("2 days", "1-3 business days", "Soon", "when ready", None, "1 week", "48 hours")
CUT_OFFS_SAID = ("14:30", "2 PM", "Noon", None, "late", "00:00")
WEEKDAYS_SAID = ('["monday","friday"]', '["Mon-Fri"]', "[]", '["now and then"]', None)


def _cases(values: tuple[str | None, ...]) -> str:
    told = ("null" if value is None else f"'{value}'" for value in values)
    whens = " ".join(f"when {number} then {value}" for number, value in enumerate(told))
    return f"case n % {len(values)} {whens} end"


ODD = (
    f"update wholesale_raw.vendors set order_processing_time = {_cases(TIMES_SAID)},"
    f" order_processing_cut_off_time = {_cases(CUT_OFFS_SAID)},"
    f" order_shipping_days = {_cases(WEEKDAYS_SAID)},"
    " order_processing_on = case n % 11 when 0 then 'Tuesdays' when 1 then null"
    " else order_processing_on end from (select id as vendor, row_number() over (order by id) as n"
    " from wholesale_raw.vendors) where vendor = id",
    # A sync a day, over midnight; each fifth was not complete.
    "insert into wholesale_raw.sync_runs by name select runs.* replace ('past-' || day as run_id,"
    " day + interval 1410 minute as started_at, day + interval 1460 minute as ended_at,"
    " case when epoch(day) // 86400 % 5 > 0 then day + interval 1430 minute end as complete_as_of)"
    " from wholesale_raw.sync_runs as runs, (select unnest(generate_series(min(created_at),"
    " max(created_at) + interval 40 day, interval 1 day)) as day from (select"
    " date_trunc('day', created_at) as created_at from wholesale_raw.orders))"
    " where resource = 'orders'",
    "delete from wholesale_raw.orders__observations",
    *(
        "insert into wholesale_raw.orders__observations by name select id, payment_status,"
        f" invoice_status, _deleted_at, {state} as status, date_trunc('day', created_at) +"
        f" interval 1445 minute + to_days(cast({day} as integer)) as observed_at"
        f" from wholesale_raw.orders where {where}"
        for state, day, where in (
            ("'received'", "hash(id) % 3", "hash(id) % 7 > 0"),
            ("'shipped'", "hash(id) % 4", "hash(id) % 7 = 0"),
            ("'confirmed'", "3 + hash(id) % 2", "hash(id) % 7 > 1"),
            ("'packing'", "5", "hash(id) % 7 = 2"),
            ("'shipped'", "6 + hash(id) % 9", "hash(id) % 7 > 1 and status = 'delivered'"),
            ("'received'", "16", "hash(id) % 13 = 0"),
        )
    ),
    "update wholesale_raw.orders set created_at = null where hash(id) % 53 = 0",
    "update wholesale_raw.orders set vendor_id = 'gone' where hash(id) % 37 = 0",
    "update wholesale_raw.orders set sub_total = null where hash(id) % 17 = 0",
    "update wholesale_raw.orders set sub_total = -1 where hash(id) % 41 = 0",
    "update wholesale_raw.orders set _deleted_at = now() where hash(id) % 43 = 0",
    "update wholesale_raw.orders set status = 'packing' where hash(id) % 19 = 0",
    "update wholesale_raw.orders set status = 'received' where hash(id) % 23 = 0",
)
"""Words of all kinds, and two years of syncs that saw orders come, wait and go."""


@pytest.fixture(scope="module")
def promised(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> tuple[Marts, Books]:
    marts = loaded.copy(tmp_path_factory.mktemp("promised"))
    marts.change(*ODD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BUILD__PROCESSING", json.dumps(SET))
        patch.setenv("BUILD__TIME_ZONE", "America/New_York")
        marts.build()
    settings = Settings(processing=SET, time_zone="America/New_York")
    return marts, Books([read(marts.database)], built_at(marts), settings)


@pytest.mark.slow
@pytest.mark.parametrize("report", ["rpt_fulfilment", "rpt_vendor_scorecard", "rpt_tasks"])
def test_odd_words_and_syncs_are_as_a_second_computation_has_them(
    promised: tuple[Marts, Books], report: str
) -> None:
    assert differences(*promised, report) == []


@pytest.mark.slow
def test_postgresql_has_the_same_promises(
    promised: tuple[Marts, Books],
    socket: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BUILD__PROCESSING", json.dumps(SET))
    monkeypatch.setenv("BUILD__TIME_ZONE", "America/New_York")
    assert differences_in(promised[0], "postgres", tmp_path, socket, monkeypatch) == []


@pytest.mark.slow
@pytest.mark.parametrize("by", [(), ("vendor",), ("promise", "state"), ("buyer", "order_status")])
def test_promises_add_up_by_any_dimension(
    promised: tuple[Marts, Books], by: tuple[str, ...]
) -> None:
    marts, books = promised
    found = [row["promise"] for row in promises(books).values()]
    assert set(found) == {"kept", "broken", "pending", "unknown"}
    kept, broken = found.count("kept"), found.count("broken")
    counts = (kept, broken, kept + broken, found.count("unknown"))
    metrics = ["promises_kept", "promises_broken", "promises_judged", "promises_unknown"]
    with duckdb.connect(str(marts.database), read_only=True) as connection:
        answer = ask(connection, Question(metrics=[*metrics, "promise_kept_rate"], by=by))
    assert tuple(answer.total[name] for name in metrics) == counts
    assert tuple(sum(row[name] for row in answer.rows) for name in metrics) == counts
    assert float(answer.total["promise_kept_rate"]) == pytest.approx(kept / counts[2], abs=1e-6)
    assert min(counts) > 20


@pytest.mark.slow
def test_words_that_nothing_explains_are_asked_for_by_name(promised: tuple[Marts, Books]) -> None:
    marts, _ = promised
    asked = {(one.field, one.state) for one in read_overview(marts.warehouse).unknown_states}
    assert {one for one in asked if one[0] not in ("order_status", "payment_status", "order_terms")}
    assert {field for field, _ in asked if field.startswith("order_")} >= {"order_processing_time"}
    assert marts.rows(
        "select count(*) from wholesale_bi.rpt_fulfilment as orders"
        " inner join wholesale_marts.dim_vendors as vendors using (vendor_id)"
        " where order_processing_time = 'when ready' and promise <> 'unknown'"
    ) == [(0,)]


def test_a_build_again_after_a_sync_that_brings_nothing_leaves_promises_alone(
    built: Marts, tmp_path: Path
) -> None:
    """When orders were sent is known of the syncs before: later ones change none of it."""
    marts = built.copy(tmp_path / "again")
    marts.change(
        "insert into wholesale_raw.sync_runs by name select * replace (run_id || 'x' as run_id)"
        " from wholesale_raw.sync_runs where resource = 'orders'"
    )
    done = marts.build()
    assert done.models_standing > done.models
