{# Between which amounts the sales of a month were awaited: what was sold so far, and such shares
of the sales of the twelve weeks before as are still to come. #}
{% set base_days = 7 * base_weeks() -%}
with

days as (

    select * from {{ ref('int_outlook_days') }}

),

claims as (

    select * from {{ ref('int_outlook_claims') }}

),

windows as (

    select * from {{ ref('int_outlook_windows') }}

),

measured as (

    select
        claims.*,
        day_set.dimension,
        day_set.member,
        day_set.amount_so_far - day_base.amount_so_far as base_amount,
        cast(
            case
                when claims.is_next then 0
                else {{ sold_between('day_first', 'day_set') }}
            end as decimal(38, 9)
        ) as known_amount,
        {{ sold_between('day_first', 'day_last') }} as month_amount
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
        measured.known_amount
        + {{ share_of('windows.middle_share', 'measured.base_amount') }} as expected_amount,
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
