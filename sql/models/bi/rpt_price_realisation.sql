with

order_lines as (

    select * from {{ ref('fct_order_lines') }}
    where is_sale

),

variants as (

    select * from {{ ref('dim_variants') }}

),

prices as (

    select * from {{ ref('fct_variant_prices') }}

),

priced as (

    select
        prices.variant_id,
        {{ known_month_of('order_lines.ordered_date') }} as month_start,
        coalesce(order_lines.ordered_at < prices.valid_from, true) as is_before_first_observation,
        order_lines.quantity,
        order_lines.total_price,
        order_lines.discount_amount,
        {{ after_discount('order_lines.total_price', 'order_lines.discount_amount') }}
            as paid_amount,
        order_lines.unit_price,
        prices.unit_price as variant_price,
        {{ amount('order_lines.quantity * prices.unit_price') }} as variant_price_amount
    from order_lines
    inner join prices
        on order_lines.variant_id = prices.variant_id
        and (order_lines.ordered_at >= prices.valid_from or prices.version_number = 1)
        and coalesce(order_lines.ordered_at < prices.valid_to, true)
    where prices.unit_price is not null

),

compared as (

    select
        *,
        variant_price_amount is not null and paid_amount is not null as is_compared
    from priced

),

sums as (

    select
        variant_id,
        month_start,
        count(*) as line_count,
        case
            when count(*) filter (where not is_before_first_observation) > 0
                then count(*) filter (
                        where unit_price <> variant_price and not is_before_first_observation
                    )
        end as off_variant_price_line_count,
        count(*) filter (where is_before_first_observation) as unobserved_line_count,
        count(*) filter (where not is_compared) as uncompared_line_count,
        cast(sum(quantity) as bigint) as unit_count,
        sum(variant_price_amount) filter (where is_compared) as variant_price_amount,
        sum(total_price) filter (where is_compared) as charged_amount,
        sum(discount_amount) filter (where is_compared) as discount_amount,
        sum(paid_amount) filter (where is_compared) as paid_amount
    from compared
    group by
        variant_id,
        month_start

),

final as (

    select
        sums.variant_id || '-' || {{ month_key('sums.month_start') }} as price_realisation_id,
        sums.variant_id,
        variants.item_id,
        variants.vendor_id,
        variants.vendor_name,
        variants.item_title,
        variants.variant_title,
        sums.month_start,
        {{ is_month_finished('sums.month_start') }} as is_month_finished,
        {{ seen_days_of('sums.month_start') }} as seen_day_count,
        sums.line_count,
        sums.off_variant_price_line_count,
        sums.unobserved_line_count,
        sums.uncompared_line_count,
        sums.unit_count,
        sums.variant_price_amount,
        sums.charged_amount,
        sums.discount_amount,
        sums.paid_amount,
        {{ ratio('sums.paid_amount', 'sums.variant_price_amount') }} as price_realisation_rate
    from sums
    inner join variants on sums.variant_id = variants.variant_id

)

select * from final
