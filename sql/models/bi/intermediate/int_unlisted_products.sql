with

named_products as (

    select
        product_id,
        bool_or(is_orderable) as is_orderable
    from {{ ref('int_named_products') }}
    where product_kind = 'unlisted'
    group by product_id

),

items as (

    select * from {{ ref('dim_items') }}

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

{# Lines of one product mostly say the same of it, so that few rows are left to rank. #}
told as (

    select
        order_lines.product_id,
        named_products.is_orderable,
        order_lines.item_id,
        order_lines.sku,
        order_lines.item_title,
        order_lines.variant_title,
        order_lines.category_name,
        order_lines.vendor_id,
        order_lines.vendor_name,
        count(*) as line_count,
        max(order_lines.ordered_at) as last_ordered_at
    from named_products
    inner join {{ ref('fct_order_lines') }} as order_lines
        on named_products.product_id = order_lines.product_id
    group by
        order_lines.product_id,
        named_products.is_orderable,
        order_lines.item_id,
        order_lines.sku,
        order_lines.item_title,
        order_lines.variant_title,
        order_lines.category_name,
        order_lines.vendor_id,
        order_lines.vendor_name

),

titled as (

    select
        *,
        sum(line_count) over (partition by product_id, item_title) as title_line_count,
        max(last_ordered_at) over (partition by product_id, item_title) as title_last_ordered_at
    from told

),

{# The commonest title; of equals the latest, then the first in the alphabet. What lines of that
title say besides is what the latest says. #}
ranked as (

    select
        *,
        max({{ by_code_points('sku') }}) over (partition by product_id) as last_sku,
        row_number() over (
            partition by product_id
            order by
                nullif(item_title, '') is null asc,
                title_line_count desc,
                title_last_ordered_at desc nulls last,
                {{ by_code_points('item_title') }} asc nulls last,
                last_ordered_at desc nulls last,
                {%- for name in [
                    'variant_title', 'category_name', 'vendor_id', 'vendor_name', 'sku'
                ] %}
            {{ by_code_points(name) }} desc nulls last {{- ',' if not loop.last }}
            {%- endfor %}
        ) as place
    from titled

),

final as (

    select
        ranked.product_id,
        ranked.is_orderable,
        ranked.item_id,
        ranked.last_sku as sku,
        coalesce(items.item_title, ranked.item_title) as item_title,
        ranked.variant_title,
        coalesce(items.vendor_id, ranked.vendor_id) as vendor_id,
        case
            when items.vendor_id is not null then items.vendor_name
            else coalesce(ranked.vendor_name, vendor_names.display_name)
        end as vendor_name,
        coalesce(items.category_name, ranked.category_name) as category_name
    from ranked
    left join items on ranked.item_id = items.item_id
    left join vendor_names on ranked.vendor_id = vendor_names.name_key
    where ranked.place = 1

)

select * from final
