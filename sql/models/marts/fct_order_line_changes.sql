{#- What of a line is compared: how it was, and how it is. -#}
{% set told = ['quantity', 'unit_price', 'discount_amount', 'total_price'] -%}
with

lines as (

    select * from {{ ref('stg_wholesale__order_line_versions') }}
    where valid_to is null
        or valid_from is null
        or valid_from < valid_to

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

neighbours as (

    select
        lines.*,
        {% for name in told + ['valid_to'] -%}
        lag(lines.{{ name }}) over (
            partition by lines.order_id, lines.line_number
            order by lines.valid_from asc nulls first, lines.valid_to asc nulls last
        ) as {{ name }}_before,
        {% endfor -%}
        lead(lines.valid_from) over (
            partition by lines.order_id, lines.line_number
            order by lines.valid_from asc nulls first, lines.valid_to asc nulls last
        ) as next_from
    from lines

),

{# A line is added if its order had a row before: of what was forgotten none is known. #}
changes as (

    select
        neighbours.order_id,
        neighbours.line_number,
        'changed' as change_kind,
        neighbours.valid_from as observed_at,
        neighbours.sku,
        neighbours.item_title,
        neighbours.variant_title,
        {% for name in told -%}
        neighbours.{{ name }}_before,
        neighbours.{{ name }} as {{ name }}_after{{ ',' if not loop.last }}
        {% endfor -%}
    from neighbours
    where neighbours.valid_to_before = neighbours.valid_from
        and (
            {% for name in told -%}
            neighbours.{{ name }} is distinct from neighbours.{{ name }}_before
            {{ 'or ' if not loop.last }}
            {%- endfor %}
        )
    union all
    select
        neighbours.order_id,
        neighbours.line_number,
        'added' as change_kind,
        neighbours.valid_from as observed_at,
        neighbours.sku,
        neighbours.item_title,
        neighbours.variant_title,
        {% for name in told -%}
        cast(null as {{ sql_type('bigint' if name == 'quantity' else 'decimal(38, 9)') }})
            as {{ name }}_before,
        neighbours.{{ name }} as {{ name }}_after{{ ',' if not loop.last }}
        {% endfor -%}
    from neighbours
    inner join order_versions
        on neighbours.order_id = order_versions.order_id
        and neighbours.valid_from = order_versions.valid_to
    where neighbours.valid_to_before is null
        or neighbours.valid_to_before < neighbours.valid_from
    union all
    select
        neighbours.order_id,
        neighbours.line_number,
        'removed' as change_kind,
        neighbours.valid_to as observed_at,
        neighbours.sku,
        neighbours.item_title,
        neighbours.variant_title,
        {% for name in told -%}
        neighbours.{{ name }} as {{ name }}_before,
        cast(null as {{ sql_type('bigint' if name == 'quantity' else 'decimal(38, 9)') }})
            as {{ name }}_after{{ ',' if not loop.last }}
        {% endfor -%}
    from neighbours
    where neighbours.valid_to is not null
        and (neighbours.next_from is null or neighbours.next_from > neighbours.valid_to)

),

final as (

    select
        changes.order_id || '-' || changes.line_number || '-' || row_number() over (
            partition by changes.order_id, changes.line_number
            order by changes.observed_at, changes.change_kind
        ) as order_line_change_id,
        changes.order_id,
        changes.line_number,
        orders.vendor_id,
        orders.buyer_id,
        changes.change_kind,
        changes.observed_at,
        changes.sku,
        changes.item_title,
        changes.variant_title,
        {% for name in told -%}
        changes.{{ name }}_before,
        changes.{{ name }}_after{{ ',' if not loop.last }}
        {% endfor -%}
    from changes
    inner join orders on changes.order_id = orders.order_id

)

select * from final
