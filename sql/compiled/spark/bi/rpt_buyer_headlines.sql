-- bi/rpt_buyer_headlines (table)
--   buyer_count bigint
--   sales_amount decimal(38, 9)
--   reorder_90_days_count bigint
--   reorder_90_days_known_count bigint
--   reorder_90_days_rate decimal(38, 6)
--   late_count bigint
--   late_sales_amount decimal(38, 9)
--   lapsed_count bigint
--   lapsed_sales_amount decimal(38, 9)
--   at_risk_count bigint
--   top_5_share decimal(38, 6)
with

reorders as (

    select * from rpt_reorders

),

concentration as (

    select * from rpt_buyer_concentration_totals

),

sums as (

    select
        count(*) as buyer_count,
        sum(sales_amount) as sales_amount,
        count(distinct case when has_reordered_within_90_days then buyer_id end) as reorder_90_days_count,
        count(distinct case when has_reordered_within_90_days is not null then buyer_id end) as reorder_90_days_known_count,
        cast(
        round(
            cast(count(distinct case when has_reordered_within_90_days then buyer_id end) as decimal(38, 9))
            / nullif(cast(count(distinct case when has_reordered_within_90_days is not null then buyer_id end) as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as reorder_90_days_rate,
        count(distinct case when is_late then buyer_id end) as late_count,
        cast(case when count(case when is_late then 1 end) > 0 then sum(case when is_late then sales_amount end) else 0 end as decimal(38, 9)) as late_sales_amount,
        count(distinct case when is_lapsed then buyer_id end) as lapsed_count,
        cast(case when count(case when is_lapsed then 1 end) > 0 then sum(case when is_lapsed then sales_amount end) else 0 end as decimal(38, 9)) as lapsed_sales_amount,
        count(distinct case when is_at_risk then buyer_id end) as at_risk_count
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
