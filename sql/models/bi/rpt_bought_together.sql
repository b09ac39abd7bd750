{%- set of_product = ['item_id', 'sku', 'item_title', 'variant_title'] -%}
with

products as (

    select * from {{ ref('int_basket_products') }}

),

pairs as (

    select * from {{ ref('int_product_pairs') }}

),

catalogue as (

    select * from {{ ref('rpt_catalogue') }}

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

orders_by_vendor as (

    select
        vendor_id,
        count(*) filter (
            where product_count <= {{ most_products_of_a_basket() }}
        ) as vendor_order_count,
        count(*) filter (
            where product_count > {{ most_products_of_a_basket() }}
        ) as large_order_count
    from {{ ref('int_baskets') }}
    group by vendor_id

),

{# Each pair twice: as one of each of its products. #}
sides as (

    select
        *,
        product_number as of_number,
        other_product_number as with_number
    from pairs
    union all
    select
        *,
        other_product_number as of_number,
        product_number as with_number
    from pairs

),

ranked as (

    select
        sides.product_number,
        sides.other_product_number,
        sides.order_count,
        row_number() over (
            partition by sides.of_number
            order by sides.order_count desc, products.order_count asc, sides.with_number asc
        ) as place
    from sides
    inner join products on sides.with_number = products.product_number

),

told_pairs as (

    select distinct
        product_number,
        other_product_number,
        order_count
    from ranked
    where place <= {{ most_pairs_of_a_product() }}

),

final as (

    select
        {{ key_of(['one.vendor_id', 'one.product_id', 'other.product_id']) }} as pair_id,
        one.vendor_id,
        vendor_names.display_name as vendor_name,
        one.product_id,
        {%- for name in of_product %}
        catalogue.{{ name }},
        {%- endfor %}
        other.product_id as other_product_id,
        {%- for name in of_product %}
        other_catalogue.{{ name }} as other_{{ name }},
        {%- endfor %}
        told_pairs.order_count,
        one.order_count as product_order_count,
        other.order_count as other_product_order_count,
        orders_by_vendor.vendor_order_count,
        orders_by_vendor.large_order_count,
        {{ ratio('one.order_count * other.order_count', 'orders_by_vendor.vendor_order_count') }}
            as expected_orders,
        {{ ratio(
            'told_pairs.order_count * orders_by_vendor.vendor_order_count',
            'one.order_count * other.order_count'
        ) }} as lift
    from told_pairs
    inner join products as one on told_pairs.product_number = one.product_number
    inner join products as other on told_pairs.other_product_number = other.product_number
    inner join orders_by_vendor on one.vendor_id = orders_by_vendor.vendor_id
    left join catalogue on one.product_id = catalogue.product_id
    left join catalogue as other_catalogue on other.product_id = other_catalogue.product_id
    left join vendor_names on one.vendor_id = {{ as_told('vendor_names.name_key') }}

)

select * from final
