-- bi/rpt_buyer_cohorts (table)
--   buyer_cohort_id text
--   cohort_month date
--   month_start date
--   is_month_finished boolean
--   month_number bigint
--   cohort_buyer_count bigint
--   active_buyer_count bigint
--   order_count bigint
--   sales_amount decimal(38, 9)
--   retention_rate decimal(38, 6)
--   sales_retention_rate decimal(38, 6)
--   cumulative_sales_amount decimal(38, 9)
with

orders as (

    select * from fct_orders

),

dates as (

    select distinct month_start
    from dim_dates

),

buyer_months as (

    select
        buyer_id,
        cast(date_trunc('month', ordered_date) as date) as month_start,
        max(case when is_return is not true then cast(date_trunc('month', ordered_date) as date) end)
            as purchase_month,
        cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as order_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount
    from orders
    where is_sale
        and buyer_id is not null
    group by
        buyer_id,
        cast(date_trunc('month', ordered_date) as date)

),

buyers as (

    select
        *,
        min(purchase_month) over (partition by buyer_id) as cohort_month
    from buyer_months

),

months as (

    select
        cohort_month,
        month_start,
        count(purchase_month) as active_buyer_count,
        cast(sum(order_count) as bigint) as order_count,
        sum(sales_amount) as sales_amount
    from buyers
    group by
        cohort_month,
        month_start

),

cohorts as (

    select
        cohort_month,
        active_buyer_count as cohort_buyer_count
    from months
    where month_start = cohort_month

),

filled as (

    select
        cohorts.cohort_month,
        dates.month_start,
        cast(
        12 * (extract(year from dates.month_start) - extract(year from cohorts.cohort_month))
        + extract(month from dates.month_start) - extract(month from cohorts.cohort_month)
        as bigint
    ) as month_number,
        cohorts.cohort_buyer_count,
        coalesce(months.active_buyer_count, 0) as active_buyer_count,
        coalesce(months.order_count, 0) as order_count,
        case when months.order_count > 0 then months.sales_amount else 0 end as sales_amount
    from cohorts
    inner join dates on cohorts.cohort_month <= dates.month_start
    left join months
        on cohorts.cohort_month = months.cohort_month
        and dates.month_start = months.month_start

),

final as (

    select
        cohort_month || '-' || month_number as buyer_cohort_id,
        cohort_month,
        month_start,
        cast(month_start - -1 * interval '1 month' as date) - 1 <= (
        select as_of.figures_up_to from int_as_of as as_of
    ) as is_month_finished,
        month_number,
        cohort_buyer_count,
        active_buyer_count,
        order_count,
        sales_amount,
        cast(
        round(
            cast(active_buyer_count as decimal(38, 9))
            / nullif(cast(cohort_buyer_count as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as retention_rate,
        cast(
        round(
            cast(sales_amount as decimal(38, 9))
            / nullif(cast(first_value(sales_amount) over (partition by cohort_month order by month_number) as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as sales_retention_rate,
        case
        when sum(order_count) over up_to_month > 0
            then sum(case when order_count > 0 then sales_amount end) over up_to_month
        else 0
    end
            as cumulative_sales_amount
    from filled
    window
        up_to_month as (
            partition by cohort_month order by month_number
            rows between unbounded preceding and current row
        )

)

select * from final
