with

orders as (

    select
        *,
        coalesce(vendor_id, 'unknown') as vendor
    from {{ ref('fct_orders') }}
    where is_sale
        and ordered_date is not null

),

vendors as (

    select * from {{ ref('dim_vendors') }}

),

dates as (

    select * from {{ ref('dim_dates') }}

),

sales as (

    select
        vendor as vendor_id,
        ordered_date,
        {{ metric('orders') }} as order_count,
        {{ metric('active_buyers') }} as buyer_count,
        {{ metric('units') }} as unit_count,
        {{ metric('sales') }} as sales_amount,
        {{ metric('billed') }} as billed_amount,
        {{ metric('discounts') }} as discount_amount,
        {{ metric('average_order_value') }} as average_order_value
    from orders
    group by
        vendor,
        ordered_date

),

first_days as (

    select
        vendor_id,
        min(ordered_date) as first_day
    from sales
    group by vendor_id

),

days as (

    select
        first_days.vendor_id,
        dates.date_day
    from first_days
    inner join dates on first_days.first_day <= dates.date_day

),

filled as (

    select
        days.vendor_id,
        days.date_day,
        coalesce(sales.order_count, 0) as order_count,
        coalesce(sales.buyer_count, 0) as buyer_count,
        coalesce(sales.unit_count, 0) as unit_count,
        coalesce(sales.sales_amount, 0) as sales_amount,
        coalesce(sales.billed_amount, 0) as billed_amount,
        sales.discount_amount,
        sales.average_order_value
    from days
    left join sales
        on days.vendor_id = sales.vendor_id
        and days.date_day = sales.ordered_date

),

windowed as (

    select
        *,
        case when count(*) over last_7_days = 7
            then sum(sales_amount) over last_7_days
        end as sales_amount_7_days,
        case when count(*) over last_28_days = 28
            then sum(sales_amount) over last_28_days
        end as sales_amount_28_days
    from filled
    window
        last_7_days as (
            partition by vendor_id order by date_day rows between 6 preceding and current row
        ),
        last_28_days as (
            partition by vendor_id order by date_day rows between 27 preceding and current row
        )

),

compared as (

    select
        *,
        lag(sales_amount_28_days, 364) over (
            partition by vendor_id order by date_day
        ) as sales_amount_28_days_year_before
    from windowed

),

final as (

    select
        compared.vendor_id || '-' || compared.date_day as daily_sales_id,
        compared.date_day,
        compared.vendor_id,
        vendors.vendor_name,
        compared.order_count,
        compared.buyer_count,
        compared.unit_count,
        compared.sales_amount,
        compared.billed_amount,
        compared.discount_amount,
        compared.average_order_value,
        compared.sales_amount_7_days,
        compared.sales_amount_28_days,
        compared.sales_amount_28_days_year_before,
        {{ ratio(
            'compared.sales_amount_28_days - compared.sales_amount_28_days_year_before',
            'compared.sales_amount_28_days_year_before'
        ) }} as year_on_year_growth
    from compared
    left join vendors on compared.vendor_id = vendors.vendor_id

)

select * from final
