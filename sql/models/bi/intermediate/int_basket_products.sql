{# Products on fewer orders than make a pair are in none. The others are numbered, as pairs of short
numbers need less memory than pairs of ids. #}
with

baskets as (

    select * from {{ ref('int_baskets') }}
    where product_count <= {{ most_products_of_a_basket() }}

),

sold as (

    select
        baskets.vendor_id,
        order_lines.product_id,
        count(*) as order_count
    from baskets
    inner join {{ ref('fct_order_lines') }} as order_lines
        on baskets.order_id = order_lines.order_id
    where order_lines.is_first_of_product
    group by
        baskets.vendor_id,
        order_lines.product_id
    having count(*) >= {{ setting('pair_minimum_orders') }}

),

final as (

    select
        row_number() over (
            order by {{ by_code_points('product_id') }}, {{ by_code_points('vendor_id') }}
        ) as product_number,
        vendor_id,
        product_id,
        order_count
    from sold

)

select * from final
