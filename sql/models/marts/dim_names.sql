{# Lists of records: a kind of name, and the key and the name there. #}
{%- set listed_in = [
    ('vendor', 'stg_wholesale__vendors', 'vendor_id', 'vendor_name'),
    ('buyer', 'stg_wholesale__buyers', 'buyer_id', 'company_name'),
    ('item', 'stg_wholesale__items', 'item_id', 'item_title'),
] -%}

with

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
    from {{ ref('int_told_names') }}

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
        max(sold.last_ordered_at) as last_ordered_at
    from {{ ref('int_sold_titles') }} as sold
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
