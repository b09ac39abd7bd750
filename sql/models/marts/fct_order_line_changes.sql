{# What is compared of a line, by its type. #}
{% set told = {
    'quantity': 'bigint', 'unit_price': 'decimal(38, 9)', 'discount_amount': 'decimal(38, 9)',
    'total_price': 'decimal(38, 9)'
} -%}
with

neighbours as (

    select * from {{ ref('int_line_versions') }}

),

orders as (

    select * from {{ ref('int_orders') }}

),

order_versions as (

    select distinct
        order_id,
        valid_to
    from {{ ref('stg_wholesale__order_versions') }}
    where valid_to is not null

),

changed as (

    select
        {% for name in told -%}
        {{ name }}_before,
        {{ name }} as {{ name }}_after,
        {% endfor -%}
        order_id,
        line_number,
        sku,
        item_title,
        variant_title,
        valid_from as observed_at,
        'changed' as change_kind
    from neighbours
    where valid_to_before = valid_from
        and (
            quantity is distinct from quantity_before
            or unit_price is distinct from unit_price_before
            or discount_amount is distinct from discount_amount_before
            or total_price is distinct from total_price_before
        )

),

{# A line is added if its order had a row before: of what was forgotten none is known. #}
added as (

    select
        {% for name, type in told.items() -%}
        cast(null as {{ sql_type(type) }}) as {{ name }}_before,
        neighbours.{{ name }} as {{ name }}_after,
        {% endfor -%}
        neighbours.order_id,
        neighbours.line_number,
        neighbours.sku,
        neighbours.item_title,
        neighbours.variant_title,
        neighbours.valid_from as observed_at,
        'added' as change_kind
    from neighbours
    inner join order_versions
        on neighbours.order_id = order_versions.order_id
        and neighbours.valid_from = order_versions.valid_to
    where neighbours.valid_to_before is null
        or neighbours.valid_to_before < neighbours.valid_from

),

removed as (

    select
        {% for name, type in told.items() -%}
        {{ name }} as {{ name }}_before,
        cast(null as {{ sql_type(type) }}) as {{ name }}_after,
        {% endfor -%}
        order_id,
        line_number,
        sku,
        item_title,
        variant_title,
        valid_to as observed_at,
        'removed' as change_kind
    from neighbours
    where valid_to is not null
        and (next_from is null or next_from > valid_to)

),

changes as (

    select * from changed
    union all
    select * from added
    union all
    select * from removed

),

final as (

    select
        {% for name in told -%}
        changes.{{ name }}_before,
        changes.{{ name }}_after,
        {% endfor -%}
        {# At one moment a line changes in one way; Sail plans no order by constant kinds. #}
        changes.order_id || '-' || changes.line_number || '-' || row_number() over (
            partition by changes.order_id, changes.line_number order by changes.observed_at
        ) as order_line_change_id,
        changes.order_id,
        changes.line_number,
        orders.vendor_id,
        orders.buyer_id,
        changes.change_kind,
        changes.observed_at,
        changes.sku,
        changes.item_title,
        changes.variant_title
    from changes
    inner join orders on changes.order_id = orders.order_id

)

select * from final
