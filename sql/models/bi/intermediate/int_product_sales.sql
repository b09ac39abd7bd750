with

order_lines as (

    select
        *,
        {{ key_of(['item_id', 'sku', 'variant_id']) }} as line_product_id
    from {{ ref('fct_order_lines') }}
    where is_sale

),

line_products as (

    select * from {{ ref('int_line_products') }}

),

{# What leads to an item, but to none of its variants, can be ordered as long as one of them can. #}
unlisted as (

    select
        line_product_id,
        bool_or(is_orderable) as is_orderable
    from line_products
    group by line_product_id

),

sold as (

    select
        coalesce(line_products.product_id, order_lines.line_product_id) as product_id,
        line_products.product_id is not null as is_listed,
        coalesce(line_products.is_orderable, unlisted.is_orderable, false) as is_orderable,
        order_lines.*
    from order_lines
    left join line_products
        on order_lines.line_product_id = line_products.line_product_id
        and line_products.is_meant
    left join unlisted on order_lines.line_product_id = unlisted.line_product_id

),

by_order as (

    select
        product_id,
        is_listed,
        is_orderable,
        order_id,
        buyer_id,
        max(item_id) as item_id,
        max(sku) as sku,
        sum(quantity) as unit_count,
        sum(total_price) as sales_amount,
        min(ordered_date) as ordered_date
    from sold
    group by
        product_id,
        is_listed,
        is_orderable,
        order_id,
        buyer_id

),

by_buyer as (

    select
        product_id,
        is_listed,
        is_orderable,
        buyer_id,
        count(*) as order_count,
        max(item_id) as item_id,
        max(sku) as sku,
        sum(unit_count) as unit_count,
        sum(sales_amount) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from by_order
    group by
        product_id,
        is_listed,
        is_orderable,
        buyer_id

),

final as (

    select
        product_id,
        is_listed,
        is_orderable,
        max(item_id) as item_id,
        max(sku) as sku,
        cast(sum(order_count) as bigint) as order_count,
        count(distinct buyer_id) as buyer_count,
        count(distinct case when order_count > 1 then buyer_id end) as repeat_buyer_count,
        cast(sum(unit_count) as bigint) as unit_count,
        sum(sales_amount) as sales_amount,
        min(first_ordered_date) as first_ordered_date,
        max(last_ordered_date) as last_ordered_date
    from by_buyer
    group by
        product_id,
        is_listed,
        is_orderable

)

select * from final
