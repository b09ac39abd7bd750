with

orders as (

    select
        *,
        {{ told('vendor_id') }} as vendor
    from {{ ref('fct_orders') }}
    where is_sale
        and ordered_date is not null

),

dates as (

    select * from {{ ref('dim_dates') }}

),

sales as (

    select
        vendor as vendor_id,
        ordered_date,
        {{ metric('orders') }} as order_count,
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

{# Each buyer of a day once, to be counted without `distinct`: with it, engines would hold a set of
buyers for each vendor and day, which takes gigabytes. #}
bought as (

    select distinct
        vendor,
        ordered_date,
        buyer_id
    from orders

),

buyers as (

    select
        vendor as vendor_id,
        ordered_date,
        count(buyer_id) as buyer_count
    from bought
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

final as (

    select
        days.vendor_id,
        days.date_day,
        coalesce(sales.order_count, 0) as order_count,
        coalesce(buyers.buyer_count, 0) as buyer_count,
        {%- for measure in ['unit_count', 'sales_amount', 'billed_amount'] %}
        case when sales.order_count > 0 then sales.{{ measure }} else 0 end as {{ measure }},
        {%- endfor %}
        sales.discount_amount,
        sales.average_order_value
    from days
    left join sales
        on days.vendor_id = sales.vendor_id
        and days.date_day = sales.ordered_date
    left join buyers
        on sales.vendor_id = buyers.vendor_id
        and sales.ordered_date = buyers.ordered_date

)

select * from final
