with

orders as (

    select
        *,
        {{ told('vendor_id') }} as vendor,
        {{ known_month_of('ordered_date') }} as month_start
    from {{ ref('fct_orders') }}
    where is_sale

),

items as (

    select distinct
        {{ told('vendor_id') }} as vendor,
        {{ known_month_of('ordered_date') }} as month_start,
        item_id
    from {{ ref('fct_order_lines') }}
    where is_sale

),

sales as (

    select
        vendor as vendor_id,
        month_start,
        {{ metric('orders') }} as order_count,
        {{ metric('active_buyers') }} as buyer_count,
        {{ metric('sales') }} as sales_amount,
        {{ metric('billed') }} as billed_amount,
        {{ metric('average_order_value') }} as average_order_value,
        {{ metric('units_per_order') }} as units_per_order,
        {{ metric('discount_rate') }} as discount_rate,
        {{ metric('fee_rate') }} as fee_rate,
        {{ metric('below_minimum_value_rate') }} as below_minimum_value_rate
    from orders
    group by
        vendor,
        month_start

),

published_items as (

    select
        item_id,
        {{ as_told('vendor_id') }} as vendor_id
    from {{ ref('dim_items') }}
    where item_status = 'published'
        and not is_deleted

),

items_sold as (

    select
        items.vendor as vendor_id,
        items.month_start,
        count(items.item_id) as sold_item_count,
        count(published_items.item_id) as listed_item_count
    from items
    left join published_items
        on items.item_id = published_items.item_id
        and items.vendor = published_items.vendor_id
    group by items.vendor, items.month_start

),

catalogues as (

    select
        vendor_id,
        count(*) as published_item_count
    from published_items
    group by vendor_id

),

final as (

    select
        sales.vendor_id || '-' || {{ month_key('sales.month_start') }} as vendor_scorecard_id,
        sales.vendor_id,
        vendor_names.display_name as vendor_name,
        sales.month_start,
        {{ is_month_finished('sales.month_start') }} as is_month_finished,
        {{ seen_days_of('sales.month_start') }} as seen_day_count,
        sales.order_count,
        sales.sales_amount,
        sales.billed_amount,
        sales.buyer_count,
        coalesce(months.new_buyer_count, 0) as new_buyer_count,
        sales.average_order_value,
        sales.units_per_order,
        sales.discount_rate,
        sales.fee_rate,
        sales.below_minimum_value_rate,
        months.promise_kept_rate,
        coalesce(months.promise_judged_count, 0) as promise_judged_count,
        coalesce(months.promise_unknown_count, 0) as promise_unknown_count,
        coalesce(items_sold.sold_item_count, 0) as sold_item_count,
        coalesce(catalogues.published_item_count, 0) as published_item_count,
        {{ ratio('coalesce(items_sold.listed_item_count, 0)', 'catalogues.published_item_count') }}
            as catalogue_sold_rate
    from sales
    left join {{ ref('dim_names') }} as vendor_names
        on vendor_names.name_kind = 'vendor'
        and sales.vendor_id = {{ as_told('vendor_names.name_key') }}
    left join {{ ref('int_vendor_months') }} as months
        on sales.vendor_id = months.vendor_id
        and sales.month_start is not distinct from months.month_start
    left join items_sold
        on sales.vendor_id = items_sold.vendor_id
        and sales.month_start is not distinct from items_sold.month_start
    left join catalogues on sales.vendor_id = catalogues.vendor_id

)

select * from final
