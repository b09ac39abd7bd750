with

vendors as (

    select * from {{ ref('stg_wholesale__vendors') }}

),

orders as (

    select * from {{ ref('fct_orders') }}

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

sales_by_vendor as (

    select
        vendor_id,
        {{ metric('orders') }} as order_count,
        {{ metric('sales') }} as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from orders
    where is_sale
    group by vendor_id

),

final as (

    select
        vendors.vendor_id,
        vendor_names.display_name as vendor_name,
        vendors.vendor_status,
        vendors.minimum_order_value,
        vendors.minimum_order_quantity,
        vendors.shipping_type,
        vendors.shipping_scheme,
        vendors.order_shipping_days,
        vendors.order_terms,
        vendors.order_processing_time,
        vendors.order_processing_on,
        vendors.order_processing_cut_off_time,
        vendors.address1,
        vendors.address2,
        vendors.city,
        {{ place_name('places.state', 'vendors.state') }} as state,
        {{ place_name('places.country', 'vendors.country') }} as country,
        vendors.zip,
        vendors.website,
        vendors.description,
        vendors.logo,
        vendors.email,
        vendors.phone,
        coalesce(sales_by_vendor.order_count, 0) as order_count,
        case when sales_by_vendor.order_count > 0 then sales_by_vendor.sales_amount else 0 end
            as sales_amount,
        sales_by_vendor.first_ordered_date,
        sales_by_vendor.last_ordered_date,
        vendors.is_deleted,
        vendors.created_at,
        vendors.updated_at,
        vendors.deleted_at
    from vendors
    left join {{ ref('int_places') }} as places
        on {{ is_place('places', 'vendors.country', 'vendors.state') }}
    left join vendor_names on vendors.vendor_id = vendor_names.name_key
    left join sales_by_vendor on vendors.vendor_id = sales_by_vendor.vendor_id

)

select * from final
