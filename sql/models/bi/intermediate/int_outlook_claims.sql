{# For which months sales are awaited: on the last day that is known for the running month and the
next, and of the twelve before on the same day of the month. #}
with

syncs as (

    select
        {{ business_date('started_at') }} as read_date,
        ended_at
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = 'orders'
        and not {{ is_ahead('started_at') }}

),

as_of as (

    select
        figures_up_to,
        {{ month_of('figures_up_to + 1') }} as month_start
    from {{ ref('int_as_of') }}
    where figures_up_to is not null

),

months as (

    {% for number in range(13) -%}
    select
        figures_up_to,
        {{ days_between('month_start', 'figures_up_to') }} + 1 as seen_days,
        {{ months_before('month_start', number) }} as month_start,
        {{ months_before('month_start', number - 1) }} - 1 as month_end,
        {{ months_before('month_start', number - 2) }} - 1 as next_month_end
    from as_of
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

set_on as (

    select
        *,
        least(month_start - 1 + cast(seen_days as integer), month_end) as set_date
    from months

),

{# What is claimed now knows all that is known. #}
seen as (

    select
        set_on.set_date,
        min(syncs.ended_at) as seen_until
    from set_on
    inner join syncs on set_on.set_date < syncs.read_date
    where set_on.set_date < set_on.figures_up_to
    group by set_on.set_date

),

claims as (

    select
        set_on.*,
        seen.seen_until
    from set_on
    left join seen on set_on.set_date = seen.set_date

),

final as (

    select
        set_date,
        seen_until,
        figures_up_to,
        month_start,
        month_end as last_day,
        false as is_next,
        cast(1 as bigint) as first_offset,
        cast({{ days_between('set_date', 'month_end') }} as bigint) as last_offset
    from claims
    where set_date < month_end

    union all

    select
        set_date,
        seen_until,
        figures_up_to,
        month_end + 1 as month_start,
        next_month_end as last_day,
        true as is_next,
        cast({{ days_between('set_date', 'month_end') }} + 1 as bigint) as first_offset,
        cast({{ days_between('set_date', 'next_month_end') }} as bigint) as last_offset
    from claims

)

select * from final
