-- bi/rpt_price_realisation (table)
--   price_realisation_id text
--   variant_id text
--   item_id text
--   vendor_id text
--   vendor_name text
--   item_title text
--   variant_title text
--   month_start date
--   is_month_finished boolean
--   line_count bigint
--   off_variant_price_line_count bigint
--   unobserved_line_count bigint
--   uncompared_line_count bigint
--   unit_count bigint
--   variant_price_amount decimal(38, 9)
--   charged_amount decimal(38, 9)
--   discount_amount decimal(38, 9)
--   paid_amount decimal(38, 9)
--   price_realisation_rate decimal(38, 6)
with

order_lines as (

    select * from fct_order_lines
    where is_sale

),

variants as (

    select * from dim_variants

),

prices as (

    select * from fct_variant_prices

),

priced as (

    select
        prices.variant_id,
        cast(date_trunc('month', order_lines.ordered_date) as date) as month_start,
        coalesce(order_lines.ordered_at < prices.valid_from, true) as is_before_first_observation,
        order_lines.quantity,
        order_lines.total_price,
        order_lines.discount_amount,
        order_lines.total_price - case
        when (select build.is_discount_in_amounts from build_settings as build) then 0 else coalesce(order_lines.discount_amount, 0)
    end
            as paid_amount,
        order_lines.unit_price,
        prices.unit_price as variant_price,
        case when order_lines.quantity * prices.unit_price between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then order_lines.quantity * prices.unit_price end as variant_price_amount
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
        sums.variant_id || '-' || coalesce(cast(sums.month_start as string), 'undated') as price_realisation_id,
        sums.variant_id,
        variants.item_id,
        variants.vendor_id,
        variants.vendor_name,
        variants.item_title,
        variants.variant_title,
        sums.month_start,
        add_months(sums.month_start, -(-1)) - 1 <= (
        select as_of.figures_up_to from int_as_of as as_of
    ) as is_month_finished,
        sums.line_count,
        sums.off_variant_price_line_count,
        sums.unobserved_line_count,
        sums.uncompared_line_count,
        sums.unit_count,
        sums.variant_price_amount,
        sums.charged_amount,
        sums.discount_amount,
        sums.paid_amount,
        cast(
        round(
            cast(sums.paid_amount as decimal(38, 9))
            / nullif(cast(sums.variant_price_amount as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as price_realisation_rate
    from sums
    inner join variants on sums.variant_id = variants.variant_id

)

select * from final
