{% set told = ['quantity', 'unit_price', 'discount_amount', 'total_price'] -%}
with

lines as (

    select * from {{ ref('stg_wholesale__order_line_versions') }}
    where valid_to is null
        or valid_from is null
        or valid_from < valid_to

),

final as (

    select
        lines.order_line_version_id,
        lines.order_id,
        lines.line_number,
        lines.sku,
        lines.item_title,
        lines.variant_title,
        lines.valid_from,
        lines.valid_to,
        {% for name in told -%}
        lines.{{ name }},
        lag(lines.{{ name }}) over (
            partition by lines.order_id, lines.line_number
            order by lines.valid_from asc nulls first, lines.valid_to asc nulls last
        ) as {{ name }}_before,
        {% endfor -%}
        lag(lines.valid_to) over (
            partition by lines.order_id, lines.line_number
            order by lines.valid_from asc nulls first, lines.valid_to asc nulls last
        ) as valid_to_before,
        lead(lines.valid_from) over (
            partition by lines.order_id, lines.line_number
            order by lines.valid_from asc nulls first, lines.valid_to asc nulls last
        ) as next_from
    from lines

)

select * from final
