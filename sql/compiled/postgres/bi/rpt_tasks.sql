-- bi/rpt_tasks (table)
--   task_id text
--   task_kind text
--   order_id text
--   order_number text
--   buyer_id text
--   buyer_name text
--   vendor_id text
--   vendor_name text
--   order_status text
--   payment_status text
--   ordered_date date
--   waiting_days bigint
--   order_line_id text
--   account_manager_id text
--   field_name text
--   state text
--   order_count bigint
--   threshold_days bigint
--   usual_days bigint
--   amount decimal(38, 9)
--   product_id text
--   item_title text
--   variant_title text
--   sku text
--   quantity bigint
--   unit_price decimal(38, 9)
--   list_price decimal(38, 9)
--   minimum_order_value decimal(38, 9)
--   value_shortfall decimal(38, 9)
--   minimum_order_quantity bigint
--   quantity_shortfall bigint
--   carton_units bigint
--   carton_amount decimal(38, 9)
--   basket_amount decimal(38, 9)
--   median_days_between_orders bigint
--   days_since_last_order bigint
--   last_ordered_date date
with

orders as (

    select * from int_purchases

),

unknown_states as (

    select
        *,
        'unknown_state' as task_kind,
        order_state_id as task_key,
        cast(null as text) as order_id
    from rpt_order_states
    where standing = 'unknown'
        and order_count > 0

),

silent_buyers as (

    select
        *,
        'silent' as task_kind,
        buyer_id as task_key,
        late_after_days as threshold_days,
        monthly_amount as amount
    from int_silent_buyers

),

waiting_orders as (

    select
        *,
        order_id as task_key
    from int_order_tasks

),

near_misses as (

    select
        *,
        'near_misses' as task_kind,
        order_id as task_key
    from int_near_misses

),

lines_below_list as (

    select
        *,
        'below_list' as task_kind,
        order_line_id as task_key,
        (select build.recent_days from wholesale_build.settings as build) as threshold_days
    from int_lines_below_list

),

final as (

    select
        unknown_states.task_kind || '-' || unknown_states.task_key as task_id,
        orders.order_id,
        orders.order_number,
        orders.buyer_id,
        orders.buyer_name,
        orders.vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.payment_status,
        orders.ordered_date,
        orders.waiting_days,
        cast(null as text) as order_line_id,
        cast(null as text) as account_manager_id,
        cast(unknown_states.field_name as text) as field_name,
        cast(unknown_states.state as text) as state,
        cast(unknown_states.order_count as bigint) as order_count,
        cast(null as bigint) as threshold_days,
        cast(null as bigint) as usual_days,
        cast(unknown_states.amount as decimal(38, 9)) as amount,
        cast(null as text) as product_id,
        cast(null as text) as item_title,
        cast(null as text) as variant_title,
        cast(null as text) as sku,
        cast(null as bigint) as quantity,
        cast(null as decimal(38, 9)) as unit_price,
        cast(null as decimal(38, 9)) as list_price,
        cast(null as decimal(38, 9)) as minimum_order_value,
        cast(null as decimal(38, 9)) as value_shortfall,
        cast(null as bigint) as minimum_order_quantity,
        cast(null as bigint) as quantity_shortfall,
        cast(null as bigint) as carton_units,
        cast(null as decimal(38, 9)) as carton_amount,
        cast(null as decimal(38, 9)) as basket_amount,
        cast(null as bigint) as median_days_between_orders,
        cast(null as bigint) as days_since_last_order,
        cast(null as date) as last_ordered_date,
        unknown_states.task_kind
    from unknown_states
    left join orders on unknown_states.order_id = orders.order_id
    union all
    select
        silent_buyers.task_kind || '-' || silent_buyers.task_key as task_id,
        orders.order_id,
        orders.order_number,
        orders.buyer_id,
        orders.buyer_name,
        orders.vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.payment_status,
        orders.ordered_date,
        orders.waiting_days,
        cast(null as text) as order_line_id,
        cast(silent_buyers.account_manager_id as text) as account_manager_id,
        cast(null as text) as field_name,
        cast(null as text) as state,
        cast(null as bigint) as order_count,
        cast(silent_buyers.threshold_days as bigint) as threshold_days,
        cast(null as bigint) as usual_days,
        cast(silent_buyers.amount as decimal(38, 9)) as amount,
        cast(silent_buyers.product_id as text) as product_id,
        cast(silent_buyers.item_title as text) as item_title,
        cast(silent_buyers.variant_title as text) as variant_title,
        cast(silent_buyers.sku as text) as sku,
        cast(null as bigint) as quantity,
        cast(null as decimal(38, 9)) as unit_price,
        cast(null as decimal(38, 9)) as list_price,
        cast(null as decimal(38, 9)) as minimum_order_value,
        cast(null as decimal(38, 9)) as value_shortfall,
        cast(null as bigint) as minimum_order_quantity,
        cast(null as bigint) as quantity_shortfall,
        cast(null as bigint) as carton_units,
        cast(null as decimal(38, 9)) as carton_amount,
        cast(silent_buyers.basket_amount as decimal(38, 9)) as basket_amount,
        cast(silent_buyers.median_days_between_orders as bigint) as median_days_between_orders,
        cast(silent_buyers.days_since_last_order as bigint) as days_since_last_order,
        cast(silent_buyers.last_ordered_date as date) as last_ordered_date,
        silent_buyers.task_kind
    from silent_buyers
    left join orders on silent_buyers.order_id = orders.order_id
    union all
    select
        waiting_orders.task_kind || '-' || waiting_orders.task_key as task_id,
        orders.order_id,
        orders.order_number,
        orders.buyer_id,
        orders.buyer_name,
        orders.vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.payment_status,
        orders.ordered_date,
        orders.waiting_days,
        cast(null as text) as order_line_id,
        cast(null as text) as account_manager_id,
        cast(null as text) as field_name,
        cast(null as text) as state,
        cast(null as bigint) as order_count,
        cast(waiting_orders.threshold_days as bigint) as threshold_days,
        cast(waiting_orders.usual_days as bigint) as usual_days,
        cast(waiting_orders.amount as decimal(38, 9)) as amount,
        cast(null as text) as product_id,
        cast(null as text) as item_title,
        cast(null as text) as variant_title,
        cast(null as text) as sku,
        cast(null as bigint) as quantity,
        cast(null as decimal(38, 9)) as unit_price,
        cast(null as decimal(38, 9)) as list_price,
        cast(null as decimal(38, 9)) as minimum_order_value,
        cast(null as decimal(38, 9)) as value_shortfall,
        cast(null as bigint) as minimum_order_quantity,
        cast(null as bigint) as quantity_shortfall,
        cast(null as bigint) as carton_units,
        cast(null as decimal(38, 9)) as carton_amount,
        cast(null as decimal(38, 9)) as basket_amount,
        cast(null as bigint) as median_days_between_orders,
        cast(null as bigint) as days_since_last_order,
        cast(null as date) as last_ordered_date,
        waiting_orders.task_kind
    from waiting_orders
    left join orders on waiting_orders.order_id = orders.order_id
    union all
    select
        near_misses.task_kind || '-' || near_misses.task_key as task_id,
        orders.order_id,
        orders.order_number,
        orders.buyer_id,
        orders.buyer_name,
        orders.vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.payment_status,
        orders.ordered_date,
        orders.waiting_days,
        cast(null as text) as order_line_id,
        cast(null as text) as account_manager_id,
        cast(null as text) as field_name,
        cast(null as text) as state,
        cast(null as bigint) as order_count,
        cast(null as bigint) as threshold_days,
        cast(null as bigint) as usual_days,
        cast(near_misses.amount as decimal(38, 9)) as amount,
        cast(near_misses.product_id as text) as product_id,
        cast(near_misses.item_title as text) as item_title,
        cast(near_misses.variant_title as text) as variant_title,
        cast(near_misses.sku as text) as sku,
        cast(null as bigint) as quantity,
        cast(null as decimal(38, 9)) as unit_price,
        cast(null as decimal(38, 9)) as list_price,
        cast(near_misses.minimum_order_value as decimal(38, 9)) as minimum_order_value,
        cast(near_misses.value_shortfall as decimal(38, 9)) as value_shortfall,
        cast(near_misses.minimum_order_quantity as bigint) as minimum_order_quantity,
        cast(near_misses.quantity_shortfall as bigint) as quantity_shortfall,
        cast(near_misses.carton_units as bigint) as carton_units,
        cast(near_misses.carton_amount as decimal(38, 9)) as carton_amount,
        cast(null as decimal(38, 9)) as basket_amount,
        cast(null as bigint) as median_days_between_orders,
        cast(null as bigint) as days_since_last_order,
        cast(null as date) as last_ordered_date,
        near_misses.task_kind
    from near_misses
    left join orders on near_misses.order_id = orders.order_id
    union all
    select
        lines_below_list.task_kind || '-' || lines_below_list.task_key as task_id,
        orders.order_id,
        orders.order_number,
        orders.buyer_id,
        orders.buyer_name,
        orders.vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.payment_status,
        orders.ordered_date,
        orders.waiting_days,
        cast(lines_below_list.order_line_id as text) as order_line_id,
        cast(null as text) as account_manager_id,
        cast(null as text) as field_name,
        cast(null as text) as state,
        cast(null as bigint) as order_count,
        cast(lines_below_list.threshold_days as bigint) as threshold_days,
        cast(null as bigint) as usual_days,
        cast(lines_below_list.amount as decimal(38, 9)) as amount,
        cast(lines_below_list.product_id as text) as product_id,
        cast(lines_below_list.item_title as text) as item_title,
        cast(lines_below_list.variant_title as text) as variant_title,
        cast(lines_below_list.sku as text) as sku,
        cast(lines_below_list.quantity as bigint) as quantity,
        cast(lines_below_list.unit_price as decimal(38, 9)) as unit_price,
        cast(lines_below_list.list_price as decimal(38, 9)) as list_price,
        cast(null as decimal(38, 9)) as minimum_order_value,
        cast(null as decimal(38, 9)) as value_shortfall,
        cast(null as bigint) as minimum_order_quantity,
        cast(null as bigint) as quantity_shortfall,
        cast(null as bigint) as carton_units,
        cast(null as decimal(38, 9)) as carton_amount,
        cast(null as decimal(38, 9)) as basket_amount,
        cast(null as bigint) as median_days_between_orders,
        cast(null as bigint) as days_since_last_order,
        cast(null as date) as last_ordered_date,
        lines_below_list.task_kind
    from lines_below_list
    left join orders on lines_below_list.order_id = orders.order_id

)

select * from final
