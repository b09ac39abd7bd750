{# The signs by which a line means a product, from the surest to the least sure. #}
{%- set nearness = {
    'the id of the variant': 1,
    'the sku of now': 2,
    'a former sku': 3,
    'the item, which has no variants': 4,
    'the item, whose variants are not told apart': 5,
} -%}

with

line_names as (

    select
        *,
        {{ sku_key('sku') }} as sku_key
    from {{ ref('int_line_names') }}

),

listed_products as (

    select
        *,
        {{ sku_key('sku') }} as sku_key
    from {{ ref('int_listed_products') }}

),

named as (

    select
        line_names.*,
        listed_products.product_id,
        {{ nearness['the id of the variant'] }} as nearness
    from line_names
    inner join listed_products
        on coalesce(line_names.variant_id, line_names.item_id) = listed_products.product_id
        and listed_products.product_kind = 'variant'
    union all
    select
        line_names.*,
        listed_products.product_id,
        case
            when listed_products.product_kind = 'item'
                then {{ nearness['the item, which has no variants'] }}
            when (line_names.sku_key is not distinct from listed_products.sku_key)
                then {{ nearness['the sku of now'] }}
            else {{ nearness['the item, whose variants are not told apart'] }}
        end as nearness
    from line_names
    inner join listed_products on line_names.item_id = listed_products.item_id
    union all
    select
        line_names.*,
        observed_skus.variant_id as product_id,
        {{ nearness['a former sku'] }} as nearness
    from line_names
    inner join {{ ref('obs_skus') }} as observed_skus
        on line_names.item_id = observed_skus.item_id
        and line_names.sku_key = {{ sku_key('observed_skus.sku') }}

),

nearest as (

    select
        line_product_id,
        sku,
        is_sold,
        product_id,
        min(nearness) as nearness
    from named
    group by line_product_id, sku, is_sold, product_id

),

{# Equals among the nearest have one place: which of them a line means, nothing tells. #}
ranked as (

    select
        nearest.*,
        listed_products.product_kind,
        listed_products.is_orderable,
        min(nearest.nearness) over (partition by nearest.line_product_id) as best_nearness,
        rank() over (
            partition by nearest.line_product_id
            order by
                nearest.nearness asc, (nearest.sku is not distinct from listed_products.sku) desc,
                listed_products.is_orderable desc
        ) as place
    from nearest
    inner join listed_products on nearest.product_id = listed_products.product_id

),

meant as (

    select
        line_product_id,
        max({{ by_code_points('product_id') }}) as product_id
    from ranked
    where place = 1
        and nearness <> {{ nearness['the item, whose variants are not told apart'] }}
    group by line_product_id
    having count(*) = 1

),

{# A product that has the SKU now comes before one that had it, but either may be meant; an item
without variants may be meant by any line that names it, and each variant of its item by a line that
belongs to none. #}
final as (

    select
        ranked.line_product_id,
        ranked.is_sold,
        ranked.product_id,
        ranked.product_kind,
        ranked.is_orderable,
        coalesce(ranked.product_id = meant.product_id, false) as is_meant
    from ranked
    left join meant on ranked.line_product_id = meant.line_product_id
    where meant.product_id is null
        or ranked.nearness = ranked.best_nearness
        or ranked.nearness = {{ nearness['the item, which has no variants'] }}
        or (
            ranked.best_nearness = {{ nearness['the sku of now'] }}
            and ranked.nearness = {{ nearness['a former sku'] }}
        )

)

select * from final
