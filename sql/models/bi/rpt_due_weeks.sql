{# Each week from its Monday: who was due, as it was known then, and who ordered. #}
with

weeks as (

    select * from {{ ref('int_forecast_weeks') }}
    where not is_next

),

final as (

    select
        week_start,
        cast(sum(case when is_due then 1 else 0 end) as bigint) as due_count,
        cast(sum(case when is_due and has_ordered then 1 else 0 end) as bigint)
            as due_and_ordered_count,
        cast(sum(case when has_window and has_ordered then 1 else 0 end) as bigint)
            as ordered_count,
        cast(sum(case when has_ordered and not has_window then 1 else 0 end) as bigint)
            as ordered_without_window_count,
        coalesce(sum(case when is_due then order_in_week_share end), 0) as due_share_sum,
        {{ known_sum('usual_amount', 'case when is_due then 1 else 0 end') }} as due_usual_amount,
        {{ known_sum('next_amount', 'case when is_due and has_ordered then 1 else 0 end') }}
            as due_amount
    from weeks
    group by week_start

)

select * from final
