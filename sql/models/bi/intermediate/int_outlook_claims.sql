{# For which months sales are awaited: on the last day that is known for the running month and the
next, and of the twelve before on the same day of the month. #}
with

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

final as (

    select
        set_date,
        figures_up_to,
        month_start,
        month_end as last_day,
        false as is_next,
        cast(1 as bigint) as first_offset,
        cast({{ days_between('set_date', 'month_end') }} as bigint) as last_offset
    from set_on
    where set_date < month_end

    union all

    select
        set_date,
        figures_up_to,
        month_end + 1 as month_start,
        next_month_end as last_day,
        true as is_next,
        cast({{ days_between('set_date', 'month_end') }} + 1 as bigint) as first_offset,
        cast({{ days_between('set_date', 'next_month_end') }} as bigint) as last_offset
    from set_on

)

select * from final
