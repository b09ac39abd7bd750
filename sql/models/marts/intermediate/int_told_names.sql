{# Records that name others: a kind of name, and the key and the name there; sales before what is
offered. #}
{%- set told_by = [
    ('vendor', 1, 'orders', 'vendor_key', 'vendor_name'),
    ('buyer', 1, 'orders', 'buyer_key', 'buyer_company_name'),
    ('item', 1, 'sold', identity('item_id', 'item_title'), 'item_title'),
    ('vendor', 2, 'items', identity('vendor_id', 'vendor_name'), 'vendor_name'),
    ('vendor', 2, 'variants', identity('vendor_id', 'vendor_name'), 'vendor_name'),
    ('item', 2, 'variants', identity('item_id', 'item_title'), 'item_title'),
] -%}

with

orders as (

    select
        vendor_key,
        vendor_name,
        buyer_key,
        buyer_company_name,
        plausible_ordered_at as ordered_at,
        1 as row_count
    from {{ ref('int_orders') }}

),

sold as (

    select
        item_id,
        item_title,
        last_ordered_at as ordered_at,
        row_count
    from {{ ref('int_sold_titles') }}

),

{%- for table in ['items', 'variants'] %}

{{ table }} as (

    select
        *,
        cast(null as {{ sql_type('timestamptz') }}) as ordered_at,
        1 as row_count
    from {{ ref('stg_wholesale__' ~ table) }}

),
{%- endfor %}

told as (

    {% for kind, rank, table, key, name in told_by -%}
    select
        '{{ kind }}' as name_kind,
        {{ key }} as name_key,
        {{ name }} as display_name,
        {{ rank }} as teller_rank,
        row_count,
        ordered_at
    from {{ table }}
    where {{ name }} <> ''
        and {{ key }} is not null
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

final as (

    select
        name_kind,
        name_key,
        display_name,
        teller_rank,
        sum(row_count) as row_count,
        max(ordered_at) as last_ordered_at
    from told
    group by
        name_kind,
        name_key,
        display_name,
        teller_rank

)

select * from final
