{# All orders; or, if those in force can be taken over, only those that differ or are gone. #}
{%- set stored = portable(in_force('marts', 'fct_orders')) %}

with

orders as (

    select
        order_id,
        {{ row_hash_of('orders', ref('int_orders')) }} as order_hash
    from {{ ref('int_orders') }} as orders

),

order_lines as (

    select
        order_id,
        sum({{ row_hash_of('line_items', ref('stg_wholesale__order_line_items')) }}) as lines_hash
    from {{ ref('stg_wholesale__order_line_items') }} as line_items
    group by order_id

),

order_comments as (

    select
        order_id,
        sum({{ row_hash_of('comments', ref('stg_wholesale__order_comments')) }}) as comments_hash
    from {{ ref('stg_wholesale__order_comments') }} as comments
    group by order_id

),

hashed as (

    select
        orders.order_id,
        cast({{ row_hash(
            'orders.order_hash, order_lines.lines_hash, order_comments.comments_hash'
        ) }} as {{ sql_type('varchar') }}) as content_hash
    from orders
    left join order_lines on orders.order_id = order_lines.order_id
    left join order_comments on orders.order_id = order_comments.order_id

)

select
    order_id,
    hashed.content_hash
from hashed
{% call again(is_patching()) -%}
full join ( -- noqa: structure.using
    select
        order_id,
        content_hash as stored_hash
    from {{ stored }}
) as in_force using (order_id)
where hashed.content_hash is distinct from in_force.stored_hash
{%- endcall %}
