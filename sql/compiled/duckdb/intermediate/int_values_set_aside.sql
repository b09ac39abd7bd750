-- intermediate/int_values_set_aside (table)
with

orders as (

    select
        order_id as record_id,
        ', ' || set_aside || ',' as field_names
    from fct_orders
    where set_aside is not null

),

orders__order_line_items as (

    select
        order_id as record_id,
        ', ' || set_aside || ',' as field_names
    from fct_order_lines
    where set_aside is not null

),

vendors as (

    select
        vendor_id as record_id,
        ', ' || set_aside || ',' as field_names
    from stg_wholesale__vendors
    where set_aside is not null

),

items as (

    select
        item_id as record_id,
        ', ' || set_aside || ',' as field_names
    from stg_wholesale__items
    where set_aside is not null

),

variants as (

    select
        variant_id as record_id,
        ', ' || set_aside || ',' as field_names
    from stg_wholesale__variants
    where set_aside is not null

),

prices as (

    select
        price_id as record_id,
        ', ' || set_aside || ',' as field_names
    from stg_wholesale__prices
    where set_aside is not null

),

counted as (

    select
        'orders' as table_name,
        'sub_total' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders
    where field_names like '%, sub_total,%'
    union all
    select
        'orders' as table_name,
        'total' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders
    where field_names like '%, total,%'
    union all
    select
        'orders' as table_name,
        'order_line_items_discount_amount' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders
    where field_names like '%, order_line_items_discount_amount,%'
    union all
    select
        'orders' as table_name,
        'transaction_fee' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders
    where field_names like '%, transaction_fee,%'
    union all
    select
        'orders' as table_name,
        'vendor_minimum_order_value' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders
    where field_names like '%, vendor_minimum_order_value,%'
    union all
    select
        'orders' as table_name,
        'created_at' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders
    where field_names like '%, created_at,%'
    union all
    select
        'orders' as table_name,
        'updated_at' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders
    where field_names like '%, updated_at,%'
    union all
    select
        'orders__order_line_items' as table_name,
        'unit_price' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders__order_line_items
    where field_names like '%, unit_price,%'
    union all
    select
        'orders__order_line_items' as table_name,
        'total_price' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders__order_line_items
    where field_names like '%, total_price,%'
    union all
    select
        'orders__order_line_items' as table_name,
        'discount_amount' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders__order_line_items
    where field_names like '%, discount_amount,%'
    union all
    select
        'orders__order_line_items' as table_name,
        'quantity' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from orders__order_line_items
    where field_names like '%, quantity,%'
    union all
    select
        'vendors' as table_name,
        'minimum_order_value' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from vendors
    where field_names like '%, minimum_order_value,%'
    union all
    select
        'vendors' as table_name,
        'minimum_order_quantity' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from vendors
    where field_names like '%, minimum_order_quantity,%'
    union all
    select
        'items' as table_name,
        'unit_price' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from items
    where field_names like '%, unit_price,%'
    union all
    select
        'items' as table_name,
        'msrp' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from items
    where field_names like '%, msrp,%'
    union all
    select
        'items' as table_name,
        'map' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from items
    where field_names like '%, map,%'
    union all
    select
        'items' as table_name,
        'moq' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from items
    where field_names like '%, moq,%'
    union all
    select
        'items' as table_name,
        'quantity_multiplier' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from items
    where field_names like '%, quantity_multiplier,%'
    union all
    select
        'variants' as table_name,
        'unit_price' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from variants
    where field_names like '%, unit_price,%'
    union all
    select
        'variants' as table_name,
        'msrp' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from variants
    where field_names like '%, msrp,%'
    union all
    select
        'variants' as table_name,
        'map' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from variants
    where field_names like '%, map,%'
    union all
    select
        'variants' as table_name,
        'moq' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from variants
    where field_names like '%, moq,%'
    union all
    select
        'variants' as table_name,
        'quantity_multiplier' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from variants
    where field_names like '%, quantity_multiplier,%'
    union all
    select
        'prices' as table_name,
        'unit_price' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from prices
    where field_names like '%, unit_price,%'

),

final as (

    select * from counted
    where value_count > 0

)

select * from final
