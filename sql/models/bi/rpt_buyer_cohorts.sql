with

orders as (

    select
        *,
        {{ known_month_of('ordered_date') }} as month_start
    from {{ ref('fct_orders') }}

),

dates as (

    select distinct month_start
    from {{ ref('dim_dates') }}
    where {{ known_month_of('date_day') }} is not null

),

buyer_months as (

    select
        buyer_id,
        month_start,
        max(case when is_return is not true then month_start end) as purchase_month,
        {{ metric('orders') }} as order_count,
        {{ metric('sales') }} as sales_amount
    from orders
    where is_sale
        and buyer_id is not null
    group by
        buyer_id,
        month_start

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
        {{ months_between('cohorts.cohort_month', 'dates.month_start') }} as month_number,
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
        {{ is_month_finished('month_start') }} as is_month_finished,
        {{ seen_days_of('month_start') }} as seen_day_count,
        month_number,
        cohort_buyer_count,
        active_buyer_count,
        order_count,
        sales_amount,
        {{ ratio('active_buyer_count', 'cohort_buyer_count') }} as retention_rate,
        {{ ratio(
            'sales_amount',
            'first_value(sales_amount) over (partition by cohort_month order by month_number)'
        ) }} as sales_retention_rate,
        {{ known_sum('sales_amount', 'order_count', over=' over up_to_month') }}
            as cumulative_sales_amount
    from filled
    window
        up_to_month as (
            partition by cohort_month order by month_number
            rows between unbounded preceding and current row
        )

)

select * from final
