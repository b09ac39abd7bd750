-- intermediate/int_product_sales (table)
with

by_buyer as (

    select
        product_id as product_key,
        buyer_id as buyer_key,
        count(*) filter (where is_first_of_product) as order_count,
        count(*) filter (where is_first_of_product and is_return is not true) as purchase_count,
        sum(quantity) as unit_count,
        sum(total_price) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from fct_order_lines
    where is_sale
    group by
        product_id,
        buyer_id

),

by_product as (

    select
        product_key,
        cast(sum(order_count) as bigint) as order_count,
        count(buyer_key) as buyer_count,
        count(case when purchase_count > 1 then buyer_key end) as repeat_buyer_count,
        cast(sum(unit_count) as bigint) as unit_count,
        sum(sales_amount) as sales_amount,
        min(first_ordered_date) as first_ordered_date,
        max(last_ordered_date) as last_ordered_date
    from by_buyer
    group by product_key

),

products as (

    select distinct product_id
    from int_named_products

),

final as (

    select
        products.product_id,
        by_product.order_count,
        by_product.buyer_count,
        by_product.repeat_buyer_count,
        by_product.unit_count,
        by_product.sales_amount,
        by_product.first_ordered_date,
        by_product.last_ordered_date
    from products
    inner join by_product on products.product_id = by_product.product_key

)

select * from final
