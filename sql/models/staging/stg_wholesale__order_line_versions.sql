{% set columns = [
    'order_id', 'line_number', 'sku', 'title', 'variant', 'quantity', 'unit_price', 'total_price',
    'discount_amount', 'valid_from'
] -%}
with

standing as (

    {{ raw('orders__order_line_items') }}

),

past as (

    {{ raw('orders__order_line_items__past') }}

),

versions as (

    select
        {% for name in columns -%}
        {{ name }},
        {% endfor -%}
        cast(null as {{ sql_type('timestamptz') }}) as valid_to
    from standing
    union all
    select
        {% for name in columns -%}
        {{ name }},
        {% endfor -%}
        valid_to
    from past

),

keyed as (

    select
        -- keys
        order_id || '-' || line_number
        || ' ' || coalesce(cast(valid_from as {{ sql_type('varchar') }}), '')
        || ' ' || coalesce(cast(valid_to as {{ sql_type('varchar') }}), '')
            as order_line_version_id,
        order_id,
        line_number,

        -- text
        sku,
        title as item_title,
        variant as variant_title,

        -- numbers
        {{ quantity('quantity') }} as quantity,

        -- amounts
        {{ amount('unit_price') }} as unit_price,
        {{ amount('total_price') }} as total_price,
        {{ amount('discount_amount') }} as discount_amount,

        -- times
        valid_from,
        valid_to
    from versions

)

select * from keyed
