{# Between which amounts the sales of a month were awaited: of the running month and the next, set on the
last day that is known, and of the twelve before on the same day of the month, from what was known then.
What is still to come is a share of the sales of the twelve weeks before; how large such a share was is
asked of the same weekday in each of a year's weeks. #}
{% set base_days, asked_weeks, fewest_weeks = 84, 52, 26 -%}
with

days as (

    select * from {{ ref('int_outlook_days') }}

),

as_of as (

    select
        figures_up_to,
        {{ month_of('figures_up_to + 1') }} as month_start
    from {{ ref('int_as_of') }}

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

claims as (

    select
        set_date,
        figures_up_to,
        month_start,
        month_end as last_day,
        false as is_next,
        1 as first_offset,
        {{ days_between('set_date', 'month_end') }} as last_offset
    from set_on
    where set_date < month_end

    union all

    select
        set_date,
        figures_up_to,
        month_end + 1 as month_start,
        next_month_end as last_day,
        true as is_next,
        {{ days_between('set_date', 'month_end') }} + 1 as first_offset,
        {{ days_between('set_date', 'next_month_end') }} as last_offset
    from set_on

),

weeks as (

    {% for number in range(1, asked_weeks + 1) -%}
    select {{ number }} as number
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

{# The weeks before that were over when the claim was set. #}
asked as (

    select
        claims.set_date,
        claims.is_next,
        claims.first_offset,
        claims.last_offset,
        claims.set_date - cast(
            7 * (weeks.number + ceil(claims.last_offset / 7.0) - 1) as integer
        ) as asked_date
    from claims
    cross join weeks

),

shares as (

    select
        asked.set_date,
        asked.is_next,
        day_asked.dimension,
        day_asked.member,
        {{ ratio(
            'day_last.amount_so_far - day_first.amount_so_far',
            'day_asked.amount_so_far - day_base.amount_so_far'
        ) }} as share
    from asked
    inner join days as day_asked on asked.asked_date = day_asked.date_day
    inner join days as day_base
        on day_asked.dimension = day_base.dimension
        and day_asked.member = day_base.member
        and asked.asked_date - {{ base_days }} = day_base.date_day
    inner join days as day_first
        on day_asked.dimension = day_first.dimension
        and day_asked.member = day_first.member
        and asked.asked_date + cast(asked.first_offset - 1 as integer) = day_first.date_day
    inner join days as day_last
        on day_asked.dimension = day_last.dimension
        and day_asked.member = day_last.member
        and asked.asked_date + cast(asked.last_offset as integer) = day_last.date_day
    where {{ is_share(
        'day_last.amount_so_far - day_first.amount_so_far',
        '(day_asked.amount_so_far - day_base.amount_so_far)'
    ) }}

),

placed as (

    select
        *,
        row_number() over of_claim as place,
        count(*) over (partition by set_date, is_next, dimension, member) as share_count
    from shares
    window of_claim as (partition by set_date, is_next, dimension, member order by share)

),

{# By ranks: of n shares the rank is a part of n + 1, so that the next one is within as often. #}
windows as (

    select
        set_date,
        is_next,
        dimension,
        member,
        {%- for share in window_shares() %}
        max(
            case when 200 * place <= {{ 100 - share }} * (share_count + 1) then share end
        ) as low_share_{{ share }},
        min(
            case when 200 * place >= {{ 100 + share }} * (share_count + 1) then share end
        ) as high_share_{{ share }}{{ ',' if not loop.last }}
        {%- endfor %}
    from placed
    where share_count >= {{ fewest_weeks }}
    group by set_date, is_next, dimension, member

),

measured as (

    select
        claims.*,
        day_set.dimension,
        day_set.member,
        day_set.amount_so_far - day_base.amount_so_far as base_amount,
        case
            when claims.is_next then 0
            else day_set.amount_so_far - coalesce(day_first.amount_so_far, 0)
        end as known_amount,
        day_last.amount_so_far - coalesce(day_first.amount_so_far, 0) as month_amount
    from claims
    inner join days as day_set on claims.set_date = day_set.date_day
    left join days as day_base
        on day_set.dimension = day_base.dimension
        and day_set.member = day_base.member
        and claims.set_date - {{ base_days }} = day_base.date_day
    left join days as day_first
        on day_set.dimension = day_first.dimension
        and day_set.member = day_first.member
        and claims.month_start - 1 = day_first.date_day
    left join days as day_last
        on day_set.dimension = day_last.dimension
        and day_set.member = day_last.member
        and claims.last_day = day_last.date_day

),

final as (

    select
        measured.set_date,
        measured.is_next,
        measured.dimension,
        measured.member,
        measured.month_start,
        measured.set_date = measured.figures_up_to as is_current,
        measured.known_amount,
        {%- for share in window_shares() %}
        {%- for end in ['low', 'high'] %}
        measured.known_amount
        + {{ share_of('windows.' ~ end ~ '_share_' ~ share, 'measured.base_amount') }}
            as {{ end }}_{{ share }},
        {%- endfor %}
        {%- endfor %}
        measured.month_amount
    from measured
    left join windows
        on measured.set_date = windows.set_date
        and measured.is_next = windows.is_next
        and measured.dimension = windows.dimension
        and measured.member = windows.member

)

select * from final
