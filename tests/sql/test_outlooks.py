"""Outlooks: earlier claims are made from what was known on their day, as they were made then."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from sql.recomputation import built_at, differences
from sql.recomputation.books import Books, read
from sql.recomputation.outlooks import claims_of
from support.few import few
from support.warehouses.marts import Marts
from wholesale_elt.causes import build_as_of

pytestmark = pytest.mark.slow

ORDERS = "wholesale_raw.orders"
CLAIMED = (
    *("known_amount", "expected_amount"),
    *(f"{end}_{share}" for share in (50, 80, 90) for end in ("low", "high")),
)
OUTLOOKS = ("rpt_sales_outlook", "rpt_sales_outlook_totals")
LAST_NIGHT = datetime(2026, 7, 1, 2, tzinfo=UTC)
FATES = (
    ["sub_total = sub_total * 9"],
    ["status = 'cancelled'"],
    ["status = 'cancelled'", "status = 'received'"],
    ["_deleted_at = picked.moment_1"],
    ["_deleted_at = picked.moment_1", "_deleted_at = null"],
    ["sub_total = null", "sub_total = total * 3"],
)
"""What happens to some orders, one after the other; more are found late, or stay as they are."""
FOUND_LATE = len(FATES)
SYNCED_EACH_NIGHT = (
    "create table main.runs as from wholesale_raw.sync_runs where resource = 'orders'",
    "delete from wholesale_raw.sync_runs where resource = 'orders'",
    "insert into wholesale_raw.sync_runs by name select runs.* replace"
    " (strftime(night, '%Y%m%dT%H%M%S.%fZ') as run_id, night + interval 1 minute as started_at,"
    " night + interval 2 minute as complete_as_of, night + interval 3 minute as ended_at)"
    " from main.runs, (select unnest(generate_series(timestamptz '2024-06-01 02:00:00+00',"
    f" timestamptz '{LAST_NIGHT}', interval 1 day)) as night)",
    "update wholesale_raw.buyers set valid_from = '2024-06-01 02:00:00+00'",
    f"update {ORDERS} set valid_from = date_trunc('day', created_at) + interval 26 hour",
    "create table main.picked as select id, hash(id, 1) % 9 as fate,"
    + ",".join(
        f" least(valid_from + interval 1 day * ({60 * number - 59} + hash(id, {number}) % 60),"
        f" timestamptz '{LAST_NIGHT}') as moment_{number}"
        for number in (1, 2)
    )
    + f" from {ORDERS} where created_at >= '2025-02-01' and buyer_id in"
    f" (select buyer_id from {ORDERS} where created_at < '2025-02-01')",
    f"update {ORDERS} set valid_from = moment_1 from main.picked"
    f" where picked.id = orders.id and fate = {FOUND_LATE}",
    *(
        statement
        for fate, changes in enumerate(FATES)
        for number, change in enumerate(changes, 1)
        for statement in (
            f"insert into {ORDERS}__past by name select orders.*, moment_{number} as valid_to"
            f" from {ORDERS} as orders inner join main.picked using (id) where fate = {fate}",
            f"update {ORDERS} set {change}, valid_from = picked.moment_{number} from main.picked"
            f" where picked.id = orders.id and fate = {fate}",
        )
    ),
)


@pytest.fixture(scope="module")
def changing(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """The demo, synced in each night of two years, while orders changed."""
    marts = loaded.copy(tmp_path_factory.mktemp("changing"))
    marts.change(*SYNCED_EACH_NIGHT)
    marts.build()
    return marts


@pytest.fixture(scope="module")
def books(changing: Marts) -> Books:
    return Books([read(changing.database)], built_at(changing))


@pytest.mark.parametrize("report", OUTLOOKS)
def test_claims_are_judged_that_knew_what_was_known(
    changing: Marts, books: Books, report: str
) -> None:
    assert differences(changing, books, report) == []


MONTHS = [date(2025 + month // 12, month % 12 + 1, 1) for month in range(6, 18)]


@pytest.mark.parametrize("month", few(MONTHS, 2))
def test_what_was_claimed_then_is_what_is_claimed_of_then(
    changing: Marts, books: Books, month: date, tmp_path: Path
) -> None:
    """Built as of the night after a day with orders, and computed from what is known now."""
    ((day,),) = changing.rows(
        f"select max(cast(created_at as date)) from {ORDERS} inner join main.picked using (id)"
        f" where fate > {FOUND_LATE} and created_at < '{month + timedelta(days=20)}'"
    )
    night = datetime.combine(day + timedelta(days=1), LAST_NIGHT.timetz())
    then = Marts(tmp_path / "then.duckdb")
    build_as_of(changing.warehouse, night, then.database, only=OUTLOOKS)
    found = {
        tuple(key): amounts
        for report in OUTLOOKS
        for *key, amounts in then.rows(
            f"select dimension, member, month_start, [{', '.join(CLAIMED)}]"
            f" from wholesale_bi.{report}"
        )
    }
    running = (day + timedelta(days=1)).replace(day=1)
    claimed = {
        (row["dimension"], row["member"], row["month_start"]): [row[name] for name in CLAIMED]
        for row in claims_of(books, day, running)
    }
    assert then.rows(f"select distinct figures_up_to from wholesale_bi.{OUTLOOKS[0]}") == [(day,)]
    assert claimed == found
    assert any(low is not None for *_, low, _ in found.values())
