with

reorders as (

    select * from {{ ref('rpt_reorders') }}

),

concentration as (

    select * from {{ ref('rpt_buyer_concentration_totals') }}

),

sums as (

    select
        count(*) as buyer_count,
        sum(sales_amount) as sales_amount,
        {{ metric('buyers_reordering_within_90_days') }} as reorder_90_days_count,
        {{ metric('buyers_known_after_90_days') }} as reorder_90_days_known_count,
        {{ metric('reorder_rate_90_days') }} as reorder_90_days_rate,
        {{ metric('late_buyers') }} as late_count,
        {{ metric('sales_of_late_buyers') }} as late_sales_amount,
        {{ metric('lapsed_buyers') }} as lapsed_count,
        {{ metric('sales_of_lapsed_buyers') }} as lapsed_sales_amount,
        {{ metric('buyers_at_risk') }} as at_risk_count
    from reorders

),

final as (

    select
        sums.buyer_count,
        case when sums.buyer_count > 0 then sums.sales_amount else 0 end as sales_amount,
        sums.reorder_90_days_count,
        sums.reorder_90_days_known_count,
        sums.reorder_90_days_rate,
        sums.late_count,
        sums.late_sales_amount,
        sums.lapsed_count,
        sums.lapsed_sales_amount,
        sums.at_risk_count,
        concentration.top_5_share
    from sums
    left join concentration on true

)

select * from final
