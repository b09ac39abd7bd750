{%- set dawn = "cast('0001-01-01 00:00:00+00' as " ~ sql_type('timestamptz') ~ ")" %}
{%- set never = "cast('9999-12-31 00:00:00+00' as " ~ sql_type('timestamptz') ~ ")" %}

with

orders as (

    select
        *,
        coalesce(ordered_at, {{ dawn }}) as placed_at
    from {{ ref('fct_orders') }}
    where is_sale
        and is_return is not true

),

vendors as (

    select * from {{ ref('dim_vendors') }}

),

{# A minimum that never changed applies at any time. Dates stand for NULL, as with an `or` in the
join DuckDB would compare every order with every minimum. #}
minimums as (

    select
        vendor_id,
        minimum_order_quantity,
        case
            when version_number = 1 and is_current then {{ dawn }}
            else valid_from
        end as valid_from,
        coalesce(valid_to, {{ never }}) as valid_to
    from {{ ref('fct_vendor_minimums') }}

),

held_against as (

    select
        orders.order_id,
        orders.order_number,
        {{ told('orders.vendor_id') }} as vendor_id,
        orders.buyer_id,
        orders.buyer_company_name,
        {{ shipped_to('orders') }} as state,
        orders.vendor_name,
        orders.ordered_date,
        orders.sub_total,
        orders.vendor_minimum_order_value as minimum_order_value,
        orders.unit_count,
        case
            when minimums.vendor_id is not null then minimums.minimum_order_quantity
            else vendors.minimum_order_quantity
        end as minimum_order_quantity,
        minimums.vendor_id is not null as is_minimum_as_of_order
    from orders
    left join vendors on orders.vendor_id = vendors.vendor_id
    left join minimums
        on orders.vendor_id = minimums.vendor_id
        and orders.placed_at >= minimums.valid_from
        and orders.placed_at < minimums.valid_to

),

measured as (

    select
        *,
        case
            when minimum_order_value is null then 0
            when sub_total is not null then greatest(minimum_order_value - sub_total, 0)
        end as value_shortfall,
        case
            when minimum_order_quantity is null then 0
            when unit_count is not null then greatest(minimum_order_quantity - unit_count, 0)
        end as quantity_shortfall
    from held_against

),

final as (

    select
        order_id,
        order_number,
        vendor_id,
        vendor_name,
        buyer_id,
        buyer_company_name,
        state,
        ordered_date,
        sub_total,
        minimum_order_value,
        value_shortfall,
        unit_count,
        minimum_order_quantity,
        quantity_shortfall,
        coalesce(
            sub_total >= {{ setting('near_miss_share') }} * minimum_order_value,
            minimum_order_value is null
        ) and coalesce(
            unit_count >= {{ setting('near_miss_share') }} * minimum_order_quantity,
            minimum_order_quantity is null
        ) as is_near_miss,
        is_minimum_as_of_order
    from measured
    where value_shortfall > 0
        or quantity_shortfall > 0

)

select * from final
