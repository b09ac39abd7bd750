{# For how long buyers alike were awaited, in usual gaps of their own, and when they ordered, as it
was seen in the latest days before a month, and further back where these tell too little. #}
with

months as (

    select * from {{ ref('int_forecast_months') }}

),

bases as (

    select * from {{ ref('int_forecast_bases') }}

),

asked as (

    select
        months.month_start,
        bases.age,
        bases.usual_days,
        bases.ordered_date,
        least(coalesce(bases.next_ordered_date, months.month_start), months.month_start)
            as awaited_until,
        coalesce(bases.next_ordered_date < months.month_start, false) as has_ordered,
        months.month_start - cast(months.asked_days as integer) as first_date,
        months.month_start - cast(months.latest_days as integer) as latest_date
    from months
    inner join bases
        on months.month_start > bases.ordered_date
        and {{ days_between('bases.ordered_date', 'months.month_start') }} <= months.asked_days

),

placed as (

    select
        *,
        row_number() over (
            partition by month_start, age, has_ordered order by ordered_date desc
        ) as place
    from asked

),

seen as (

    select
        *,
        least(
            latest_date,
            coalesce(
                max(
                    case
                        when has_ordered and place = {{ latest_purchases() }} then ordered_date
                    end
                ) over (partition by month_start, age),
                first_date
            )
        ) as seen_after
    from placed

),

{# Who was silent before it was seen is awaited from there on: of those that ordered meanwhile
nothing is seen. #}
scored as (

    select
        month_start,
        age,
        has_ordered,
        cast(
            {{ ratio(days_between('ordered_date', 'awaited_until'), 'usual_days') }}
            as decimal(18, 6)
        ) as score,
        cast(
            {{ ratio(
                'greatest(0, ' ~ days_between('ordered_date', 'seen_after') ~ ')', 'usual_days'
            ) }}
            as decimal(18, 6)
        ) as first_score
    from seen
    where awaited_until > seen_after

),

steps as (

    select
        month_start,
        age,
        first_score as score,
        1 as begun_count,
        0 as ended_count,
        0 as order_count
    from scored

    union all

    select
        month_start,
        age,
        score,
        0 as begun_count,
        1 as ended_count,
        case when has_ordered then 1 else 0 end as order_count
    from scored

),

final as (

    select
        month_start,
        age,
        score,
        cast(sum(begun_count) as bigint) as begun_count,
        cast(sum(ended_count) as bigint) as ended_count,
        cast(sum(order_count) as bigint) as order_count
    from steps
    group by month_start, age, score

)

select * from final
