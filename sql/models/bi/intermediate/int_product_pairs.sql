with

baskets as (

    select
        baskets.order_id,
        products.product_number
    from {{ ref('int_baskets') }} as baskets
    inner join {{ ref('fct_order_lines') }} as order_lines
        on baskets.order_id = order_lines.order_id
    inner join {{ ref('int_basket_products') }} as products
        on baskets.vendor_id = products.vendor_id
        and order_lines.product_id = products.product_id
    where order_lines.is_first_of_product
        and baskets.product_count between 2 and {{ most_products_of_a_basket() }}

),

final as (

    select
        one.product_number,
        other.product_number as other_product_number,
        count(*) as order_count
    from baskets as one
    inner join baskets as other
        on one.order_id = other.order_id
        and one.product_number < other.product_number
    group by
        one.product_number,
        other.product_number
    having count(*) >= {{ setting('pair_minimum_orders') }}

)

select * from final
