with

{# Millions of lines are grouped by order and by buyer: what is compared takes little memory. #}
order_lines as (

    select
        item_id,
        sku,
        {{ key_of(['item_id', 'sku', 'variant_id']) }} as line_product_id,
        {{ compact('order_id') }} as order_key,
        {{ compact('buyer_id') }} as buyer_key,
        quantity,
        total_price,
        ordered_date
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

lines_sold as (

    select
        line_product_id,
        max(item_id) as item_id,
        max(sku) as sku
    from order_lines
    group by line_product_id

),

sold as (

    select
        lines_sold.*,
        dense_rank() over (
            order by coalesce(line_products.product_id, lines_sold.line_product_id)
        ) as product_number,
        coalesce(line_products.product_id, lines_sold.line_product_id) as product_id,
        line_products.product_id is not null as is_listed,
        coalesce(line_products.is_orderable, unlisted.is_orderable, false) as is_orderable
    from lines_sold
    left join line_products
        on lines_sold.line_product_id = line_products.line_product_id
        and line_products.is_meant
    left join unlisted on lines_sold.line_product_id = unlisted.line_product_id

),

products as (

    select
        product_number,
        product_id,
        is_listed,
        is_orderable,
        max(item_id) as item_id,
        max(sku) as sku
    from sold
    group by product_number, product_id, is_listed, is_orderable

),

by_order as (

    select
        sold.product_number,
        order_lines.order_key,
        order_lines.buyer_key,
        sum(order_lines.quantity) as unit_count,
        sum(order_lines.total_price) as sales_amount,
        min(order_lines.ordered_date) as ordered_date
    from order_lines
    inner join sold on order_lines.line_product_id = sold.line_product_id
    group by sold.product_number, order_lines.order_key, order_lines.buyer_key

),

by_buyer as (

    select
        product_number,
        buyer_key,
        count(*) as order_count,
        sum(unit_count) as unit_count,
        sum(sales_amount) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from by_order
    group by product_number, buyer_key

),

final as (

    select
        products.product_id,
        products.is_listed,
        products.is_orderable,
        products.item_id,
        products.sku,
        cast(sum(by_buyer.order_count) as bigint) as order_count,
        count(by_buyer.buyer_key) as buyer_count,
        count(case when by_buyer.order_count > 1 then by_buyer.buyer_key end) as repeat_buyer_count,
        cast(sum(by_buyer.unit_count) as bigint) as unit_count,
        sum(by_buyer.sales_amount) as sales_amount,
        min(by_buyer.first_ordered_date) as first_ordered_date,
        max(by_buyer.last_ordered_date) as last_ordered_date
    from by_buyer
    inner join products on by_buyer.product_number = products.product_number
    group by
        products.product_id,
        products.is_listed,
        products.is_orderable,
        products.item_id,
        products.sku

)

select * from final
