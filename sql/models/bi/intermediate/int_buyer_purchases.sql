with

purchases as (

    select * from {{ ref('int_purchase_days') }}

),

{# The gaps of a buyer in their order; the first purchase, which has none, comes last. #}
gaps as (

    select
        *,
        row_number() over (
            partition by buyer_id order by days_since_previous nulls last
        ) as place,
        count(days_since_previous) over (partition by buyer_id) as gap_count
    from purchases

),

final as (

    select
        buyer_id,
        count(*) as purchase_count,
        min(case when purchase_number = 2 then ordered_date end) as second_ordered_date,
        min(case when place >= 0.5 * gap_count then days_since_previous end)
            as median_days_between_orders,
        {# With too few gaps the share is told of none: then the longest counts. #}
        min(
            case
                when place >= {{ setting('late_percentile') }} * (gap_count + 1)
                    or place = gap_count
                    then days_since_previous
            end
        ) as late_after_days,
        coalesce(
            max(gap_count) >= {{ setting('late_percentile') }} * (max(gap_count) + 1), false
        ) as has_late_percentile
    from gaps
    group by buyer_id

)

select * from final
