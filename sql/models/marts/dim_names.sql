{# Lists of records: a kind of name, and the key and the name there. #}
{%- set listed_in = [
    ('vendor', 'vendors', 'vendor_id', 'vendor_name'),
    ('buyer', 'buyers', 'buyer_id', 'company_name'),
    ('item', 'items', 'item_id', 'item_title'),
] -%}
{# Other records, which name them too: the sales before what is offered. #}
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
        order_lines.item_id,
        order_lines.sku,
        order_lines.item_title,
        max(orders.plausible_ordered_at) as ordered_at,
        count(*) as row_count
    from {{ ref('int_orders') }} as orders
    inner join {{ ref('stg_wholesale__order_line_items') }} as order_lines
        on orders.order_id = order_lines.order_id
    group by order_lines.item_id, order_lines.sku, order_lines.item_title

),

{%- for table in ['vendors', 'buyers', 'items', 'variants'] %}

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
        sum(row_count) as row_count,
        max(ordered_at) as last_ordered_at
    from {{ table }}
    where {{ name }} <> ''
        and {{ key }} is not null
    group by
        {{ key }},
        {{ name }}
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

ranked as (

    select
        *,
        row_number() over (
            partition by name_kind, name_key
            order by
                teller_rank asc,
                row_count desc,
                last_ordered_at desc nulls last,
                {{ by_code_points('display_name') }} asc
        ) as place
    from told

),

listed as (

    {% for kind, table, key, name in listed_in -%}
    select
        '{{ kind }}' as name_kind,
        {{ key }} as name_key,
        {{ name }} as display_name
    from {{ table }}
    where {{ name }} <> ''
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

named as (

    select * from listed
    union all
    select
        ranked.name_kind,
        ranked.name_key,
        ranked.display_name
    from ranked
    where ranked.place = 1
        and not exists (
            select 1
            from listed
            where listed.name_kind = ranked.name_kind
                and listed.name_key = ranked.name_key
        )

),

{# A SKU is called as the item of most of its lines. #}
skus as (

    select
        {{ identity('sold.sku', 'named.display_name') }} as name_key,
        named.display_name,
        sum(sold.row_count) as row_count,
        max(sold.ordered_at) as last_ordered_at
    from sold
    inner join named
        on {{ identity('sold.item_id', 'sold.item_title') }} = named.name_key
        and named.name_kind = 'item'
    where {{ identity('sold.sku', 'named.display_name') }} is not null
    group by
        {{ identity('sold.sku', 'named.display_name') }},
        named.display_name

),

ranked_skus as (

    select
        *,
        row_number() over (
            partition by name_key
            order by
                row_count desc,
                last_ordered_at desc nulls last,
                {{ by_code_points('display_name') }} asc
        ) as place
    from skus

),

final as (

    select * from named
    union all
    select
        'sku' as name_kind,
        name_key,
        display_name
    from ranked_skus
    where place = 1

)

select * from final
