-- intermediate/int_line_products (table)
with

order_lines as (

    select distinct
        item_id,
        sku,
        variant_id
    from fct_order_lines
    where is_sale

),

listed_products as (

    select
        *,
        lower(translate(sku, '\u0009\u000a\u000b\u000c\u000d\u001c\u001d\u001e\u001f\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000', '')) as sku_key
    from int_listed_products

),

observed_skus as (

    select
        case
        when length(variant_id) = 36 and variant_id = lower(variant_id) then variant_id
        when variant_id rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(variant_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else variant_id
    end as variant_id,
        case
        when length(item_id) = 36 and item_id = lower(item_id) then item_id
        when item_id rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(item_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else item_id
    end as item_id,
        sku as sku
    from obs_skus

),

lines_sold as (

    select
        *,
        lower(translate(sku, '\u0009\u000a\u000b\u000c\u000d\u001c\u001d\u001e\u001f\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000', '')) as sku_key,
        md5(
        coalesce(length(item_id) || ':' || item_id, 'null') || ',' ||
        coalesce(length(sku) || ':' || sku, 'null') || ',' ||
        coalesce(length(variant_id) || ':' || variant_id, 'null')
    ) as line_product_id
    from order_lines

),

named as (

    select
        lines_sold.*,
        listed_products.product_id,
        1 as nearness
    from lines_sold
    inner join listed_products
        on coalesce(lines_sold.variant_id, lines_sold.item_id) = listed_products.product_id
        and listed_products.product_kind = 'variant'
    union all
    select
        lines_sold.*,
        listed_products.product_id,
        case
            when listed_products.product_kind = 'item'
                then 4
            when (lines_sold.sku_key is not distinct from listed_products.sku_key)
                then 2
            else 5
        end as nearness
    from lines_sold
    inner join listed_products on lines_sold.item_id = listed_products.item_id
    union all
    select
        lines_sold.*,
        observed_skus.variant_id as product_id,
        3 as nearness
    from lines_sold
    inner join observed_skus
        on lines_sold.item_id = observed_skus.item_id
        and lines_sold.sku_key = lower(translate(observed_skus.sku, '\u0009\u000a\u000b\u000c\u000d\u001c\u001d\u001e\u001f\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000', ''))

),

nearest as (

    select
        line_product_id,
        item_id,
        sku,
        variant_id,
        product_id,
        min(nearness) as nearness
    from named
    group by line_product_id, item_id, sku, variant_id, product_id

),

ranked as (

    select
        nearest.*,
        listed_products.is_orderable,
        min(nearest.nearness) over (partition by nearest.line_product_id) as best_nearness,
        row_number() over (
            partition by nearest.line_product_id
            order by
                nearest.nearness asc, (nearest.sku is not distinct from listed_products.sku) desc,
                listed_products.is_orderable desc, nearest.product_id asc
        ) as place
    from nearest
    inner join listed_products on nearest.product_id = listed_products.product_id

),

final as (

    select
        line_product_id,
        item_id,
        sku,
        variant_id,
        product_id,
        is_orderable,
        (
            place = 1
            and nearness <> 5
        ) as is_meant
    from ranked
    where nearness = best_nearness
        or nearness = 4
        or (
            best_nearness = 2
            and nearness = 3
        )

)

select * from final
