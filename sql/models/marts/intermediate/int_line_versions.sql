{% set told = ['quantity', 'unit_price', 'discount_amount', 'total_price'] -%}
with

lines as (

    select * from {{ ref('stg_wholesale__order_line_versions') }}
    where valid_to is null
        or valid_from is null
        or valid_from < valid_to

),

{# Most lines were never changed, and an engine may take long for windows over so many keys: of all
others there is a row that was replaced. -#}
replaced as (

    select distinct
        order_id,
        line_number
    from lines
    where valid_to is not null

),

changed as (

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
    inner join replaced
        on lines.order_id = replaced.order_id
        and lines.line_number = replaced.line_number

),

{# Nothing was before, in the type of what is: PostgreSQL takes a bare null for text. -#}
unchanged as (

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
        nullif(lines.{{ name }}, lines.{{ name }}) as {{ name }}_before,
        {% endfor -%}
        nullif(lines.valid_to, lines.valid_to) as valid_to_before,
        nullif(lines.valid_from, lines.valid_from) as next_from
    from lines
    where not exists (
            select 1 from replaced
            where replaced.order_id = lines.order_id
                and replaced.line_number = lines.line_number
        )

)

select * from changed
union all
select * from unchanged
