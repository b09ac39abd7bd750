{# The shortest window of each share, in usual gaps, for buyers of an age and windows of a month: from
after the low score to the high one. And between which amounts, in usual amounts, eight in ten are. #}
with

curves as (

    select * from {{ ref('int_forecast_curves') }}
    where order_count_alike >= {{ fewest_orders_alike() }}

),

begun as (

    select
        month_start,
        age,
        score,
        ordered_millionths
    from curves

    union all

    select distinct
        month_start,
        age,
        cast(0 as decimal(18, 6)) as score,
        cast(0 as bigint) as ordered_millionths
    from curves

),

windows as (

    select
        month_start,
        age,
        score as low_score,
        {%- for share in window_shares() %}
        first_value(score) over (
            partition by month_start, age order by ordered_millionths
            range between {{ share }}0000 following and unbounded following
        ) as high_score_{{ share }}{{ ',' if not loop.last }}
        {%- endfor %}
    from begun

),

ranked as (

    select
        *,
        {%- for share in window_shares() %}
        row_number() over (
            partition by month_start, age
            order by high_score_{{ share }} - low_score nulls last, low_score
        ) as place_{{ share }}{{ ',' if not loop.last }}
        {%- endfor %}
    from windows

),

scores as (

    select
        month_start,
        age,
        {%- for share in window_shares() %}
        max(case when place_{{ share }} = 1 and high_score_{{ share }} is not null then low_score end)
            as low_score_{{ share }},
        max(case when place_{{ share }} = 1 then high_score_{{ share }} end)
            as high_score_{{ share }}{{ ',' if not loop.last }}
        {%- endfor %}
    from ranked
    group by month_start, age

),

late as (

    select
        month_start,
        age,
        min(
            case
                when ordered_millionths >= 1000000 * {{ setting('late_percentile') }} then score
            end
        ) as late_score
    from curves
    group by month_start, age

),

amounts as (

    select
        months.month_start,
        bases.age,
        {{ ratio('bases.next_amount', 'bases.usual_amount') }} as score
    from {{ ref('int_forecast_months') }} as months
    inner join {{ ref('int_forecast_bases') }} as bases
        on months.month_start > bases.next_ordered_date
        and {{ days_between('bases.ordered_date', 'months.month_start') }} <= months.asked_days
    where {{ is_share('bases.next_amount', 'bases.usual_amount') }}

),

placed as (

    select
        *,
        row_number() over (partition by month_start, age order by score) as place,
        count(*) over (partition by month_start, age) as amount_count
    from amounts

),

{# The next one, too, is within: by ranks, so that of n amounts the rank is a share of n + 1. #}
by_amount as (

    select
        month_start,
        age,
        max(case when 10 * place <= amount_count + 1 then score end) as low_amount_score,
        min(case when 10 * place >= 9 * (amount_count + 1) then score end) as high_amount_score
    from placed
    where amount_count >= {{ fewest_orders_alike() }}
    group by month_start, age

),

final as (

    select
        scores.*,
        late.late_score,
        by_amount.low_amount_score,
        by_amount.high_amount_score
    from scores
    inner join late on scores.month_start = late.month_start and scores.age = late.age
    left join by_amount
        on scores.month_start = by_amount.month_start
        and scores.age = by_amount.age

)

select * from final
