{{ config(materialized='view') }}

{# What was sold, by order of all, by vendor, account manager and buyer, and by line of products. #}
with

final as (

    select
        dimension,
        member,
        order_id as sale_id,
        ordered_date,
        amount
    from {{ ref('int_order_members') }}
    where is_sale

    union all

    select
        'product' as dimension,
        product_id as member,
        order_line_id as sale_id,
        ordered_date,
        total_price as amount
    from {{ ref('fct_order_lines') }}
    where is_sale
        and product_id is not null

)

select * from final
