with

products_sold as (

    select * from {{ ref('int_products_sold') }}

),

products as (

    select
        product_number,
        product_id,
        is_listed,
        is_orderable,
        max({{ by_code_points('item_id') }}) as item_id,
        max({{ by_code_points('sku') }}) as sku
    from products_sold
    group by product_number, product_id, is_listed, is_orderable

),

{# If lines name a product in only one way, and name no other product by the same item and SKU, the
lines with `is_first_of_product` count its orders. Only lines of the other products are grouped by
order, which takes long for millions of lines. #}
names as (

    select
        line_product_id,
        item_id,
        sku,
        variant_id,
        product_number,
        count(*) over (partition by product_number) = 1
        and count(*) over (partition by item_id, sku) = 1 as is_the_only_one
    from products_sold

),

{# The keys are short, to save memory. #}
by_order as (

    select
        names.product_number,
        {{ compact('order_lines.order_id') }} as order_key,
        {{ compact('order_lines.buyer_id') }} as buyer_key,
        bool_or(order_lines.is_return is not true) as is_purchase,
        sum(order_lines.quantity) as unit_count,
        sum(order_lines.total_price) as sales_amount,
        min(order_lines.ordered_date) as ordered_date
    from {{ ref('fct_order_lines') }} as order_lines
    inner join names on {{ is_named('order_lines', 'names') }}
    where order_lines.is_sale
        and not names.is_the_only_one
    group by
        names.product_number,
        {{ compact('order_lines.order_id') }},
        {{ compact('order_lines.buyer_id') }}

),

{# The lines are read in the join itself: from a CTE, DuckDB would hold them all. #}
by_buyer as (

    select
        names.product_number,
        {{ compact('order_lines.buyer_id') }} as buyer_key,
        count(*) filter (where order_lines.is_first_of_product) as order_count,
        count(*) filter (
            where order_lines.is_first_of_product and order_lines.is_return is not true
        ) as purchase_count,
        sum(order_lines.quantity) as unit_count,
        sum(order_lines.total_price) as sales_amount,
        min(order_lines.ordered_date) as first_ordered_date,
        max(order_lines.ordered_date) as last_ordered_date
    from {{ ref('fct_order_lines') }} as order_lines
    inner join names on {{ is_named('order_lines', 'names') }}
    where order_lines.is_sale
        and names.is_the_only_one
    group by
        names.product_number,
        {{ compact('order_lines.buyer_id') }}
    union all
    select
        product_number,
        buyer_key,
        count(*) as order_count,
        count(*) filter (where is_purchase) as purchase_count,
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
        count(case when by_buyer.purchase_count > 1 then by_buyer.buyer_key end)
            as repeat_buyer_count,
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
