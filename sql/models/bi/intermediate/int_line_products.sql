{# The signs by which a line means a product, from the surest to the least sure. #}
{%- set nearness = {
    'the id of the variant': 1,
    'the sku of now': 2,
    'a former sku': 3,
    'the item, which has no variants': 4,
    'the item, whose variants are not told apart': 5,
} -%}

with

order_lines as (

    select distinct
        item_id,
        sku,
        variant_id
    from {{ ref('fct_order_lines') }}
    where is_sale

),

listed_products as (

    select
        *,
        {{ sku_key('sku') }} as sku_key
    from {{ ref('int_listed_products') }}

),

observed_skus as (

    {{ as_joinable(ref('obs_skus'), ['variant_id', 'item_id', 'sku']) }}

),

lines_sold as (

    select
        *,
        {{ sku_key('sku') }} as sku_key,
        {{ key_of(['item_id', 'sku', 'variant_id']) }} as line_product_id
    from order_lines

),

named as (

    select
        lines_sold.*,
        listed_products.product_id,
        {{ nearness['the id of the variant'] }} as nearness
    from lines_sold
    inner join listed_products
        on coalesce(lines_sold.variant_id, lines_sold.item_id) = listed_products.product_id
        and listed_products.product_kind = 'variant'
    union all
    select
        lines_sold.*,
        listed_products.product_id,
        case
            when listed_products.product_kind = 'item'
                then {{ nearness['the item, which has no variants'] }}
            when (lines_sold.sku_key is not distinct from listed_products.sku_key)
                then {{ nearness['the sku of now'] }}
            else {{ nearness['the item, whose variants are not told apart'] }}
        end as nearness
    from lines_sold
    inner join listed_products on lines_sold.item_id = listed_products.item_id
    union all
    select
        lines_sold.*,
        observed_skus.variant_id as product_id,
        {{ nearness['a former sku'] }} as nearness
    from lines_sold
    inner join observed_skus
        on lines_sold.item_id = observed_skus.item_id
        and lines_sold.sku_key = {{ sku_key('observed_skus.sku') }}

),

nearest as (

    select
        line_product_id,
        item_id,
        sku,
        variant_id,
        product_id,
        min(nearness) as nearness
    from named
    group by line_product_id, item_id, sku, variant_id, product_id

),

ranked as (

    select
        nearest.*,
        listed_products.is_orderable,
        min(nearest.nearness) over (partition by nearest.line_product_id) as best_nearness,
        row_number() over (
            partition by nearest.line_product_id
            order by
                nearest.nearness asc, (nearest.sku is not distinct from listed_products.sku) desc,
                listed_products.is_orderable desc, {{ by_code_points('nearest.product_id') }} asc
        ) as place
    from nearest
    inner join listed_products on nearest.product_id = listed_products.product_id

),

{# A product that has the SKU now comes before one that had it, but either may be meant; and an item
without variants may be meant by any line that names it. #}
final as (

    select
        line_product_id,
        item_id,
        sku,
        variant_id,
        product_id,
        is_orderable,
        (
            place = 1
            and nearness <> {{ nearness['the item, whose variants are not told apart'] }}
        ) as is_meant
    from ranked
    where nearness = best_nearness
        or nearness = {{ nearness['the item, which has no variants'] }}
        or (
            best_nearness = {{ nearness['the sku of now'] }}
            and nearness = {{ nearness['a former sku'] }}
        )

)

select * from final
