-- bi/rpt_minimum_orders (table)
--   order_id text
--   order_number text
--   vendor_id text
--   vendor_name text
--   buyer_id text
--   buyer_company_name text
--   state text
--   ordered_date date
--   sub_total decimal(38, 9)
--   minimum_order_value decimal(38, 9)
--   value_shortfall decimal(38, 9)
--   unit_count bigint
--   minimum_order_quantity bigint
--   quantity_shortfall bigint
--   is_near_miss boolean
--   is_minimum_as_of_order boolean
with

orders as (

    select
        *,
        coalesce(ordered_at, cast('0001-01-01 00:00:00+00' as timestamptz)) as placed_at
    from fct_orders
    where is_sale
        and is_return is not true

),

vendors as (

    select * from int_vendors

),

minimums as (

    select
        vendor_id,
        minimum_order_quantity,
        case
            when version_number = 1 and is_current then cast('0001-01-01 00:00:00+00' as timestamptz)
            else valid_from
        end as valid_from,
        coalesce(valid_to, cast('9999-12-31 00:00:00+00' as timestamptz)) as valid_to
    from fct_vendor_minimums

),

held_against as (

    select
        orders.order_id,
        orders.order_number,
        coalesce(case
        when orders.vendor_id in ('all', 'unknown', 'none') or orders.vendor_id like '"%' then '"' || replace(orders.vendor_id, '"', '""') || '"'
        else orders.vendor_id
    end, 'unknown') as vendor_id,
        orders.buyer_id,
        orders.buyer_company_name,
        case
        when nullif(orders.shipping_country, '') like '%-%' then '"' || replace(nullif(orders.shipping_country, ''), '"', '""') || '"'
        else coalesce(case
        when nullif(orders.shipping_country, '') in ('all', 'unknown', 'none') or nullif(orders.shipping_country, '') like '"%' then '"' || replace(nullif(orders.shipping_country, ''), '"', '""') || '"'
        else nullif(orders.shipping_country, '')
    end, 'unknown')
    end || coalesce('-' || nullif(orders.shipping_state, ''), '') as state,
        coalesce(nullif(vendors.vendor_name, ''), orders.vendor_name) as vendor_name,
        orders.ordered_date,
        orders.sub_total,
        orders.vendor_minimum_order_value as minimum_order_value,
        orders.unit_count,
        case
            when minimums.vendor_id is not null then minimums.minimum_order_quantity
            else vendors.minimum_order_quantity
        end as minimum_order_quantity,
        minimums.vendor_id is not null as is_minimum_as_of_order
    from orders
    left join vendors on orders.vendor_id = vendors.vendor_id
    left join minimums
        on orders.vendor_id = minimums.vendor_id
        and orders.placed_at >= minimums.valid_from
        and orders.placed_at < minimums.valid_to

),

measured as (

    select
        *,
        case
            when minimum_order_value is null then 0
            when sub_total is not null then greatest(minimum_order_value - sub_total, 0)
        end as value_shortfall,
        case
            when minimum_order_quantity is null then 0
            when unit_count is not null then greatest(minimum_order_quantity - unit_count, 0)
        end as quantity_shortfall
    from held_against

),

final as (

    select
        order_id,
        order_number,
        vendor_id,
        vendor_name,
        buyer_id,
        buyer_company_name,
        state,
        ordered_date,
        sub_total,
        minimum_order_value,
        value_shortfall,
        unit_count,
        minimum_order_quantity,
        quantity_shortfall,
        coalesce(
            sub_total >= (select build.near_miss_share from wholesale_build.settings as build) * minimum_order_value,
            minimum_order_value is null
        ) and coalesce(
            unit_count >= (select build.near_miss_share from wholesale_build.settings as build) * minimum_order_quantity,
            minimum_order_quantity is null
        ) as is_near_miss,
        is_minimum_as_of_order
    from measured
    where value_shortfall > 0
        or quantity_shortfall > 0

)

select * from final
