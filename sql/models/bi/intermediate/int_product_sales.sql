with

order_lines as (

    select * from {{ ref('fct_order_lines') }}

),

listed_products as (

    select * from {{ ref('int_listed_products') }}

),

{# Lines name an item and a sku, not a variant: of variants that share both, one has the sales. #}
skus as (

    select
        item_id,
        sku,
        min(product_id) as product_id
    from listed_products
    group by
        item_id,
        sku

),

sales_by_buyer as (

    select
        item_id,
        sku,
        buyer_id,
        count(*) filter (where is_first_of_product) as order_count,
        cast(sum(quantity) as bigint) as unit_count,
        sum(total_price) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from order_lines
    where is_sale
    group by
        item_id,
        sku,
        buyer_id

),

sold as (

    select
        coalesce(
            skus.product_id,
            coalesce(sales_by_buyer.item_id, '') || '-' || coalesce(sales_by_buyer.sku, '')
        ) as product_id,
        skus.product_id is not null as is_listed,
        sales_by_buyer.*
    from sales_by_buyer
    left join skus
        on sales_by_buyer.item_id = skus.item_id
        and sales_by_buyer.sku is not distinct from skus.sku

),

final as (

    select
        product_id,
        is_listed,
        item_id,
        sku,
        cast(sum(order_count) as bigint) as order_count,
        count(distinct buyer_id) as buyer_count,
        count(distinct case when order_count > 1 then buyer_id end) as repeat_buyer_count,
        cast(sum(unit_count) as bigint) as unit_count,
        sum(sales_amount) as sales_amount,
        min(first_ordered_date) as first_ordered_date,
        max(last_ordered_date) as last_ordered_date
    from sold
    group by
        product_id,
        is_listed,
        item_id,
        sku

)

select * from final
