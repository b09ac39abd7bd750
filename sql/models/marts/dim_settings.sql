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
from {{ settings() }}
