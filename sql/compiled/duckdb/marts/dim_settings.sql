-- marts/dim_settings (table)
--   currency text
--   time_zone text
--   is_discount_in_amounts boolean
--   cancelled_order_statuses text
--   refunded_payment_statuses text
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
    largest_amount,
    largest_quantity,
    first_plausible_day,
    build_key
from wholesale_build.settings
