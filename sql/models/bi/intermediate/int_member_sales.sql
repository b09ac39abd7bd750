{{ config(materialized='view') }}

{# What was sold, by order of all, by vendor, account manager and buyer, and by line of products. #}
{% set members = {
    'sales': "'sales'",
    'vendor': 'orders.vendor_key',
    'account_manager': 'buyers.account_manager_id',
    'buyer': 'orders.buyer_key',
} -%}
with

final as (

    {% for dimension, member in members.items() -%}
    select
        '{{ dimension }}' as dimension,
        {{ member }} as member,
        orders.order_id as sale_id,
        orders.ordered_date,
        orders.sub_total as amount
    from {{ ref('fct_orders') }} as orders
    left join {{ ref('dim_buyers') }} as buyers on orders.buyer_id = buyers.buyer_id
    where orders.is_sale
        and {{ member }} is not null

    union all

    {% endfor -%}
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
