{%- set numbered = [] -%}
{%- for number in range(1, 6) -%}
    {%- do numbered.append(
        "max(case when option_number = " ~ number
        ~ " then concat_ws(': ', nullif(option_name, ''), nullif(option_value, '')) end)"
    ) -%}
{%- endfor -%}

with

variants as (

    select * from {{ ref('stg_wholesale__variants') }}

),

items as (

    select * from {{ ref('stg_wholesale__items') }}

),

{# Each variant once, whatever options it has twice. #}
options_by_variant as (

    select
        variant_id,
        concat_ws(', ', {{ numbered | join(', ') }}) as variant_options,
        max(case
            when {{ is_named_by_setting('option_name', 'color_options') }}
                then {{ by_code_points("nullif(option_value, '')") }}
        end) as color,
        max(case
            when {{ is_named_by_setting('option_name', 'size_options') }}
                then {{ by_code_points("nullif(option_value, '')") }}
        end) as size
    from {{ ref('stg_wholesale__variant_options') }}
    group by variant_id

),

item_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'item'

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

final as (

    select
        variants.variant_id,
        variants.item_id,
        variants.vendor_id,
        variants.brand_id,
        variants.category_id,
        variants.variant_title,
        variants.description,
        nullif(options_by_variant.variant_options, '') as variant_options,
        options_by_variant.color,
        options_by_variant.size,
        item_names.display_name as item_title,
        coalesce(variants.product_code, items.product_code) as product_code,
        items.item_status,
        variants.sku,
        variants.upc,
        variants.sku_status,
        vendor_names.display_name as vendor_name,
        variants.brand_name,
        variants.category_name,
        variants.unit_price,
        variants.msrp,
        variants.minimum_advertised_price,
        {{ ratio('variants.msrp - variants.unit_price', 'variants.msrp') }} as buyer_margin_share,
        variants.minimum_quantity,
        variants.quantity_multiplier,
        variants.is_deleted,
        variants.deleted_at
    from variants
    left join items on variants.item_id = items.item_id
    left join options_by_variant on variants.variant_id = options_by_variant.variant_id
    left join item_names
        on {{ identity('variants.item_id', 'variants.item_title') }} = item_names.name_key
    left join vendor_names
        on {{ identity('variants.vendor_id', 'variants.vendor_name') }} = vendor_names.name_key

)

select * from final
