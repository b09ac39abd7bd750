{# A kind of name, the rows that tell it, its key and the name there. #}
{%- set told_by = [
    ('vendor', 'fct_orders', 'vendor_key', 'vendor_name'),
    ('buyer', 'fct_orders', 'buyer_key', 'buyer_company_name'),
    ('item', 'fct_order_lines', 'item_key', 'item_title'),
    ('sku', 'fct_order_lines', 'sku_key', 'item_title'),
] -%}
{%- set listed_in = [
    ('vendor', 'dim_vendors', 'vendor_id', 'vendor_name'),
    ('buyer', 'dim_buyers', 'buyer_id', 'company_name'),
    ('item', 'dim_items', 'item_id', 'item_title'),
] -%}

with

told as (

    {% for kind, table, key, name in told_by -%}
    select
        '{{ kind }}' as name_kind,
        {{ key }} as name_key,
        {{ name }} as display_name,
        count(*) as row_count,
        max(ordered_at) as last_ordered_at
    from {{ ref(table) }}
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
    from {{ ref(table) }}
    where {{ name }} <> ''
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

final as (

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

)

select * from final
