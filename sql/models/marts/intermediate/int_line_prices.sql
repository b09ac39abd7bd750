{# The list price of each line on its day: that of the buyer's own list, the one it has now, or else
the variant's own. What was sold before the first price was seen is held against that. #}
with

lines as (

    select
        line_items.order_line_id,
        named_products.product_id as variant_id,
        orders.plausible_ordered_at as ordered_at,
        buyers.price_list_id,
        line_items.quantity,
        line_items.total_price,
        line_items.discount_amount
    from {{ ref('int_orders') }} as orders
    inner join {{ ref('stg_wholesale__order_line_items') }} as line_items
        on orders.order_id = line_items.order_id
    inner join {{ ref('int_named_products') }} as named_products
        on {{ is_named('line_items', 'named_products') }}
    left join {{ ref('stg_wholesale__buyers') }} as buyers on orders.buyer_id = buyers.buyer_id
    where named_products.product_kind = 'variant'

),

own_prices as (

    select
        lines.order_line_id,
        min(listed.unit_price) as list_price,
        max(case when lines.ordered_at >= listed.valid_from then 0 else 1 end) = 0 as is_seen
    from lines
    inner join {{ ref('fct_list_prices') }} as listed
        on lines.price_list_id = listed.price_list_id
        and lines.variant_id = listed.variant_id
        and (lines.ordered_at >= listed.valid_from or listed.version_number = 1)
        and coalesce(lines.ordered_at < listed.valid_to, true)
    where listed.unit_price is not null
        and not listed.is_deleted
    group by lines.order_line_id

),

priced as (

    select
        lines.*,
        coalesce(own_prices.list_price, variants.unit_price) as list_price,
        coalesce(own_prices.is_seen, lines.ordered_at >= variants.valid_from, false)
            as is_list_price_seen
    from lines
    left join own_prices on lines.order_line_id = own_prices.order_line_id
    left join {{ ref('fct_variant_prices') }} as variants
        on lines.variant_id = variants.variant_id
        and (lines.ordered_at >= variants.valid_from or variants.version_number = 1)
        and coalesce(lines.ordered_at < variants.valid_to, true)
        and not variants.is_deleted

),

measured as (

    select
        *,
        {{ amount('quantity * list_price') }} as amount_at_list_price,
        {{ after_discount('total_price', 'discount_amount') }} as amount_after_discount
    from priced
    where list_price is not null

),

{# Only what has both amounts is compared. #}
final as (

    select
        order_line_id,
        list_price,
        is_list_price_seen,
        case when amount_after_discount is not null then amount_at_list_price end
            as list_price_amount,
        case when amount_at_list_price is not null then amount_after_discount end as paid_amount
    from measured

)

select * from final
