with

order_lines as (

    select * from {{ ref('fct_order_lines') }}

),

variants as (

    select * from {{ ref('dim_variants') }}

),

prices as (

    select * from {{ ref('fct_variant_prices') }}

),

skus as (

    select
        item_id,
        sku,
        min(variant_id) as variant_id
    from variants
    where sku is not null
    group by
        item_id,
        sku

),

periods as (

    select
        skus.item_id,
        skus.sku,
        skus.variant_id,
        prices.unit_price as list_price,
        prices.version_number,
        prices.valid_from,
        prices.valid_to
    from skus
    inner join prices on skus.variant_id = prices.variant_id

),

priced as (

    select
        periods.variant_id,
        {{ month_of('order_lines.ordered_date') }} as month_start,
        order_lines.ordered_at < periods.valid_from as is_before_first_observation,
        order_lines.quantity,
        order_lines.total_price,
        order_lines.unit_price,
        periods.list_price,
        order_lines.quantity * periods.list_price as list_amount
    from order_lines
    inner join periods
        on order_lines.item_id = periods.item_id
        and order_lines.sku = periods.sku
        and (order_lines.ordered_at >= periods.valid_from or periods.version_number = 1)
        and (order_lines.ordered_at < periods.valid_to or periods.valid_to is null)
    where order_lines.is_sale
        and periods.list_price is not null

),

sums as (

    select
        variant_id,
        month_start,
        count(*) as line_count,
        count(*) filter (where unit_price <> list_price) as off_list_line_count,
        count(*) filter (where is_before_first_observation) as unobserved_line_count,
        cast(sum(quantity) as bigint) as unit_count,
        sum(list_amount) as list_amount,
        sum(total_price) as paid_amount
    from priced
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
        sums.line_count,
        sums.off_list_line_count,
        sums.unobserved_line_count,
        sums.unit_count,
        sums.list_amount,
        sums.paid_amount,
        {{ ratio('sums.paid_amount', 'sums.list_amount') }} as price_realisation_rate
    from sums
    inner join variants on sums.variant_id = variants.variant_id

)

select * from final
