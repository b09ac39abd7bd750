with

order_lines as (

    select
        *,
        {{ known_month_of('ordered_date') }} as month_start,
        list_price_amount is not null as is_compared
    from {{ ref('fct_order_lines') }}
    where is_sale
        and list_price is not null

),

variants as (

    select * from {{ ref('dim_variants') }}

),

sums as (

    select
        variant_id,
        month_start,
        count(*) as line_count,
        case
            when count(*) filter (where is_list_price_seen) > 0
                then count(*) filter (where unit_price <> list_price and is_list_price_seen)
        end as off_list_price_line_count,
        count(*) filter (where not is_list_price_seen) as unobserved_line_count,
        count(*) filter (where not is_compared) as uncompared_line_count,
        cast(sum(quantity) as bigint) as unit_count,
        sum(list_price_amount) as list_price_amount,
        sum(total_price) filter (where is_compared) as charged_amount,
        sum(discount_amount) filter (where is_compared) as discount_amount,
        sum(paid_amount) as paid_amount
    from order_lines
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
        sums.off_list_price_line_count,
        sums.unobserved_line_count,
        sums.uncompared_line_count,
        sums.unit_count,
        sums.list_price_amount,
        sums.charged_amount,
        sums.discount_amount,
        sums.paid_amount,
        {{ ratio('sums.paid_amount', 'sums.list_price_amount') }} as price_realisation_rate
    from sums
    inner join variants on sums.variant_id = variants.variant_id

)

select * from final
