{# Between which amounts eight in ten next purchases of buyers alike are, in usual amounts of the
buyer. A month knows only what was before it. #}
with

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
final as (

    select
        month_start,
        age,
        max(case when 10 * place <= amount_count + 1 then score end) as low_amount_score,
        min(case when 10 * place >= 9 * (amount_count + 1) then score end) as high_amount_score
    from placed
    where amount_count >= {{ fewest_orders_alike() }}
    group by month_start, age

)

select * from final
