{# How long gaps are, as it was known when a month began: windows that are set within the month
rest on what was known before it, whatever came later. #}
with

purchases as (

    select * from {{ ref('int_purchase_days') }}

),

months as (

    select distinct {{ month_of('ordered_date') }} as month_start
    from purchases

),

by_day as (

    select
        ordered_date,
        sum(days_since_previous) as gap_days,
        count(days_since_previous) as gap_count
    from purchases
    group by ordered_date

),

gaps as (

    select
        months.month_start,
        sum(by_day.gap_days) as gap_days,
        sum(by_day.gap_count) as gap_count
    from months
    inner join by_day
        on months.month_start > by_day.ordered_date
        and by_day.ordered_date >= {{ months_before('months.month_start', 12) }}
    group by months.month_start

),

usual as (

    select
        month_start,
        cast({{ ratio('gap_days', 'gap_count') }} as decimal(12, 6)) as usual_gap
    from gaps
    where gap_count > 0

),

final as (

    select
        month_start,
        usual_gap,
        cast(
            greatest({{ fewest_asked_days() }}, ceil({{ asked_gaps() }} * usual_gap)) as bigint
        ) as asked_days,
        cast(
            greatest({{ latest_days() }}, ceil({{ latest_gaps() }} * usual_gap)) as bigint
        ) as latest_days
    from usual

)

select * from final
