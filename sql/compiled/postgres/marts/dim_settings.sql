-- marts/dim_settings (table)
--   currency text
--   time_zone text
--   is_discount_in_amounts boolean
--   cancelled_order_statuses text
--   refunded_payment_statuses text
--   lapse_days bigint
--   late_percentile decimal(13, 12)
--   late_minimum_orders bigint
--   near_miss_share decimal(13, 12)
--   largest_amount decimal(38, 9)
--   largest_quantity bigint
--   first_plausible_day date
--   build_key text
select
    currency,
    time_zone,
    is_discount_in_amounts,
    cancelled_order_statuses,
    refunded_payment_statuses,
    lapse_days,
    late_percentile,
    late_minimum_orders,
    near_miss_share,
    largest_amount,
    largest_quantity,
    first_plausible_day,
    build_key
from wholesale_build.settings
