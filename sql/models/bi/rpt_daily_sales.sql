with

daily_sales as (

    select * from {{ ref('int_daily_sales') }}

),

vendors as (

    select * from {{ ref('dim_vendors') }}

),

windowed as (

    select
        *,
        case
            when count(*) over last_7_days = 7 then sum(sales_amount) over last_7_days
        end as sales_amount_7_days,
        case
            when count(*) over last_28_days = 28 then sum(sales_amount) over last_28_days
        end as sales_amount_28_days
    from daily_sales
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
        {{ growth(
            'compared.sales_amount_28_days', 'compared.sales_amount_28_days_year_before'
        ) }} as year_on_year_growth
    from compared
    left join vendors on compared.vendor_id = {{ as_told('vendors.vendor_id') }}

)

select * from final
