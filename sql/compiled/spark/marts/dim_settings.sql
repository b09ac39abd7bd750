-- marts/dim_settings (table)
--   currency text
--   time_zone text
--   is_discount_in_amounts boolean
--   waiting_order_statuses text
--   accepted_order_statuses text
--   sent_order_statuses text
--   done_order_statuses text
--   cancelled_order_statuses text
--   returned_order_statuses text
--   open_payment_statuses text
--   settled_payment_statuses text
--   refunded_payment_statuses text
--   lapse_days bigint
--   late_percentile decimal(13, 12)
--   late_minimum_orders bigint
--   near_miss_share decimal(13, 12)
--   confirm_days bigint
--   confirm_minimum_orders bigint
--   old_order_days bigint
--   overdue_days bigint
--   recent_days bigint
--   spending_days bigint
--   done_days bigint
--   largest_amount decimal(38, 9)
--   largest_quantity bigint
--   first_plausible_day date
--   build_key text
select
    currency,
    time_zone,
    is_discount_in_amounts,
    waiting_order_statuses,
    accepted_order_statuses,
    sent_order_statuses,
    done_order_statuses,
    cancelled_order_statuses,
    returned_order_statuses,
    open_payment_statuses,
    settled_payment_statuses,
    refunded_payment_statuses,
    lapse_days,
    late_percentile,
    late_minimum_orders,
    near_miss_share,
    confirm_days,
    confirm_minimum_orders,
    old_order_days,
    overdue_days,
    recent_days,
    spending_days,
    done_days,
    largest_amount,
    largest_quantity,
    first_plausible_day,
    build_key
from build_settings
