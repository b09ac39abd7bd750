with

daily_sales as (

    select * from {{ ref('int_daily_sales') }}

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

{# Spans that end with a day that is not over are no whole ones. #}
windowed as (

    select
        daily_sales.*,
        case
            when count(*) over last_7_days = 7 and daily_sales.date_day <= as_of.figures_up_to
                then {{ known_sum(
                    'daily_sales.sales_amount', 'daily_sales.order_count', over=' over last_7_days'
                ) }}
        end as sales_amount_7_days,
        case
            when count(*) over last_28_days = 28 and daily_sales.date_day <= as_of.figures_up_to
                then {{ known_sum(
                    'daily_sales.sales_amount', 'daily_sales.order_count', over=' over last_28_days'
                ) }}
        end as sales_amount_28_days
    from daily_sales
    cross join as_of
    window
        last_7_days as (
            partition by daily_sales.vendor_id order by daily_sales.date_day
            rows between 6 preceding and current row
        ),
        last_28_days as (
            partition by daily_sales.vendor_id order by daily_sales.date_day
            rows between 27 preceding and current row
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
        vendor_names.display_name as vendor_name,
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
    left join vendor_names on compared.vendor_id = {{ as_told('vendor_names.name_key') }}

)

select * from final
