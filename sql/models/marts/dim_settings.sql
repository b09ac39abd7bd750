select
    {{ text(var('currency')) }} as currency,
    {{ text(var('time_zone')) }} as time_zone,
    {{ 'true' if var('is_discount_in_amounts') else 'false' }} as is_discount_in_amounts,
    {{ text(var('cancelled_order_statuses') | sort | join(', ')) }} as cancelled_order_statuses,
    {{ text(var('refunded_payment_statuses') | sort | join(', ')) }} as refunded_payment_statuses,
    cast({{ var('largest_amount') }} as decimal(38, 9)) as largest_amount,
    cast({{ var('largest_quantity') }} as bigint) as largest_quantity,
    cast({{ text(var('first_plausible_day')) }} as date) as first_plausible_day,
    '{{ build_key() }}' as build_key
