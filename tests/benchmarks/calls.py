"""Calls: whom the list of a week would have had called, who ordered, and who was lost."""

from collections.abc import Sequence

import duckdb

from benchmarks.claims import SHOWN

LOST_DAYS = 180
"""Who does not come back within them is lost."""
NAMED = 5
"""Buyers that a text names."""
DUE = """
with weeks as (select * from int_forecast_weeks where not is_next and has_window),
said as (
    select weeks.has_ordered, weeks.is_due, weeks.week_start,
        date_diff('day', weeks.week_start, told.ordered_date
            + cast(round(gaps.median) as integer)) between 0 and 6 as is_due_by_median
    from weeks
    inner join int_forecasts as told on weeks.buyer_id = told.buyer_id
        and weeks.week_start > told.ordered_date
        and (told.next_ordered_date is null or weeks.week_start <= told.next_ordered_date)
    inner join (
        select buyer_id, ordered_date, median(days_since_previous) over (
            partition by buyer_id order by ordered_date) as median
        from int_purchase_days
    ) as gaps on told.buyer_id = gaps.buyer_id and told.ordered_date = gaps.ordered_date
)
select
    100 * count(*) filter ({due} and has_ordered) / nullif(count(*) filter ({due}), 0),
    100 * count(*) filter ({due} and has_ordered) / nullif(count(*) filter (has_ordered), 0),
    count(*) filter ({due}) / nullif(count(distinct week_start), 0)
from said
"""
LOST = f"""
with alarms as (
    select told.*, coalesce(last_day_90, last_day_80) + 1 as alarm_date, figures_up_to
    from int_forecasts as told cross join int_as_of
    where purchase_number >= {SHOWN} and last_day_80 is not null
),
raised as (
    select *,
        alarm_date <= figures_up_to
            and (next_ordered_date is null or next_ordered_date >= alarm_date) as is_raised,
        coalesce(next_ordered_date > alarm_date + {LOST_DAYS}, true) as is_gone,
        alarm_date + {LOST_DAYS} <= figures_up_to as is_judged,
        ordered_date + {LOST_DAYS} < figures_up_to
            and coalesce(next_ordered_date > ordered_date + {LOST_DAYS}, true) as is_lost
    from alarms
)
select
    100 * count(*) filter (is_raised and is_judged and is_gone)
        / nullif(count(*) filter (is_raised and is_judged), 0),
    100 * count(*) filter (is_lost and is_raised and alarm_date <= ordered_date + {LOST_DAYS})
        / nullif(count(*) filter (is_lost), 0),
    count(*) filter (is_raised) / nullif(
        (select count(distinct week_start) from int_forecast_weeks
            where has_window and not is_next), 0),
    count(*) filter (is_raised and is_judged),
    count(*) filter (is_lost)
from raised
"""

AGAIN = f"""
with asked as (
    select
        case when order_again_share is null then 'untold' when is_passed then 'over' else 'open' end
            as part,
        order_again_share,
        coalesce(told.next_ordered_date < weeks.week_start + {LOST_DAYS}, false) as came
    from int_forecast_weeks as weeks
    inner join int_forecasts as told on weeks.buyer_id = told.buyer_id
        and weeks.week_start > told.ordered_date
        and (told.next_ordered_date is null or weeks.week_start <= told.next_ordered_date)
    cross join int_as_of
    where not is_next and has_window and week_start + {LOST_DAYS} <= figures_up_to
)
select 100 * avg(order_again_share)::double, 100 * avg(came::integer), count(asked.part)
from (values ('open'), ('over'), ('untold')) as parts(part) left join asked using (part)
group by parts.part order by parts.part
"""
"""Parts sort as they are told."""


def again(connection: duckdb.DuckDBPyConnection, name: str) -> Sequence[str]:
    """Of weeks in which a window was open, of those in which all were over, and of those of which
    no chance was told: the chance that the buyer orders again, how many did within 180 days, and
    how many there were."""
    cells: list[str] = []
    for said, came, count in connection.execute(AGAIN).fetchall():
        cells += ["" if share is None else f"{share:.1f}" for share in (said, came)]
        cells.append(f"{count:,}")
    del cells[6]  # where none was told
    return [name, *cells]


def calls(connection: duckdb.DuckDBPyConnection, name: str) -> Sequence[str]:
    """Of "due this week" the precision, the recall and how many a week, the same of "the median gap
    ends this week", and of "all windows are over" whether the buyer was lost."""
    cells: list[str] = []
    for due in ("is_due", "is_due_by_median"):
        [found] = connection.execute(DUE.format(due=due)).fetchall()
        cells += [f"{cell:.1f}" if cell is not None else "" for cell in found]
    [(right, found_again, a_week, judged, lost)] = connection.execute(LOST).fetchall()
    cells += [
        f"{right:.1f} of {judged:,}" if judged else "",
        f"{found_again:.1f} of {lost:,}" if lost else "",
        f"{a_week:.1f}",
    ]
    return [name, *cells]


def week(connection: duckdb.DuckDBPyConnection, begins: str) -> str:
    """Whom a salesperson would have called, who ordered, and what was missed."""
    connection.execute(
        f"create or replace temp table week as select buyer_id, is_due, has_window, has_ordered,"
        f" usual_amount, order_in_week_share, next_amount"
        f" from int_forecast_weeks where week_start = '{begins}'"
    )
    connection.execute(
        "create or replace temp table sold as select buyer_id,"
        f" min(ordered_date) >= '{begins}' as is_new,"
        f" sum(sub_total) filter (ordered_date >= '{begins}') as amount from fct_orders"
        f" where ordered_date <= date '{begins}' + 6 group by buyer_id having amount is not null"
    )

    def of(condition: str) -> tuple[int, int]:
        [(count, amount)] = connection.execute(
            "select count(*), coalesce(sum(sold.amount), 0)::bigint"
            " from sold left join week using (buyer_id)"
            f" where {condition}"
        ).fetchall()
        return count, amount

    [(due, expected, usual)] = connection.execute(
        "select count(*), sum(order_in_week_share), sum(usual_amount)::bigint"
        " from week where is_due"
    ).fetchall()
    named = connection.execute(
        "select week.buyer_id, 100 * order_in_week_share, usual_amount::bigint,"
        " sold.amount::bigint from week left join sold using (buyer_id) where is_due"
        f" order by usual_amount desc limit {NAMED}"
    ).fetchall()
    missed = connection.execute(
        "select week.buyer_id, 100 * order_in_week_share, sold.amount::bigint"
        " from sold inner join week using (buyer_id)"
        f" where has_window and not is_due order by sold.amount desc limit {NAMED}"
    ).fetchall()
    called, others = of("is_due"), of("has_window and not is_due")
    few, new = of("not coalesce(has_window, is_new)"), of("is_new")
    all_of_it = sum(amount for _, amount in (called, others, few, new))
    lines = [
        f"Before Monday, {begins}, {due} buyers were due ({usual:,} of usual amounts), whose shares"
        f" add up to {expected:.1f}: {called[0]} ordered, for {called[1]:,}.",
        f"Without a call ordered {others[0]} buyers with a window, for {others[1]:,}; {few[0]} of"
        f" whom too little was known, for {few[1]:,}; and {new[0]} for the first time, for"
        f" {new[1]:,}. So {100 * called[1] / all_of_it:.0f} % of {all_of_it:,} came from the list.",
        "The largest that were due: "
        + "; ".join(
            f"{buyer} ({share:.0f} %, usually {amount:,}: "
            + (f"ordered {came:,})" if came else "nothing)")
            for buyer, share, amount, came in named
        )
        + ".",
        "The largest that it missed: "
        + "; ".join(f"{buyer} ({share:.0f} %: {came:,})" for buyer, share, came in missed)
        + ".",
    ]
    return "\n".join(lines)
