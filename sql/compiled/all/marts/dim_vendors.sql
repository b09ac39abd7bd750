-- marts/dim_vendors (table)
--   vendor_id text
--   vendor_name text
--   vendor_status text
--   minimum_order_value decimal(38, 9)
--   minimum_order_quantity bigint
--   shipping_type text
--   shipping_scheme json
--   order_shipping_days json
--   order_terms text
--   order_processing_time text
--   order_processing_on text
--   order_processing_cut_off_time text
--   address1 text
--   address2 text
--   city text
--   state text
--   country text
--   zip text
--   website text
--   email text
--   phone text
--   order_count bigint
--   sales_amount decimal(38, 9)
--   first_ordered_date date
--   last_ordered_date date
--   is_deleted boolean
--   created_at timestamptz
--   updated_at timestamptz
--   deleted_at timestamptz
with

vendors as (

    select * from stg_wholesale__vendors

),

orders as (

    select * from fct_orders

),

sales_by_vendor as (

    select
        vendor_id,
        cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as order_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from orders
    where is_sale
    group by vendor_id

),

final as (

    select
        vendors.vendor_id,
        vendors.vendor_name,
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
        vendors.state,
        vendors.country,
        vendors.zip,
        vendors.website,
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
    left join sales_by_vendor on vendors.vendor_id = sales_by_vendor.vendor_id

)

select * from final
