-- bi/rpt_price_changes (table)
--   price_change_id text
--   variant_id text
--   item_id text
--   sku text
--   item_title text
--   variant_title text
--   vendor_id text
--   vendor_name text
--   price_list text
--   observed_at timestamptz
--   price_before decimal(38, 9)
--   price decimal(38, 9)
--   change_rate decimal(38, 6)
with

variant_prices as (

    select * from fct_variant_prices

),

list_prices as (

    select * from fct_list_prices

),

variants as (

    select * from dim_variants

),

items as (

    select * from dim_items

),

price_lists as (

    select * from dim_price_lists

),

prices as (

    select
        'variant-' || variant_id as price_key,
        version_number,
        variant_id,
        cast(null as text) as item_id,
        cast(null as text) as price_list_id,
        unit_price,
        valid_from
    from variant_prices
    union all
    select
        'price-' || price_id as price_key,
        version_number,
        variant_id,
        item_id,
        price_list_id,
        unit_price,
        valid_from
    from list_prices

),

versions as (

    select
        *,
        lag(unit_price) over (
            partition by price_key order by version_number
        ) as price_before
    from prices
    where unit_price is not null

),

changes as (

    select * from versions
    where unit_price <> price_before

),

final as (

    select
        changes.price_key || '-' || changes.version_number as price_change_id,
        changes.variant_id,
        coalesce(changes.item_id, variants.item_id) as item_id,
        coalesce(variants.sku, items.sku) as sku,
        coalesce(variants.item_title, items.item_title) as item_title,
        variants.variant_title,
        coalesce(variants.vendor_id, items.vendor_id) as vendor_id,
        coalesce(variants.vendor_name, items.vendor_name) as vendor_name,
        case
            when changes.price_list_id is not null
                then coalesce(price_lists.price_list_title, changes.price_list_id)
        end as price_list,
        changes.valid_from as observed_at,
        changes.price_before,
        changes.unit_price as price,
        cast(
        case
            when round(cast(cast(changes.unit_price - changes.price_before as decimal(38, 9)) as double) / nullif(cast(cast(case when changes.price_before > 0 then changes.price_before end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(changes.unit_price - changes.price_before as decimal(38, 9)) as double) / nullif(cast(cast(case when changes.price_before > 0 then changes.price_before end as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(changes.unit_price - changes.price_before as decimal(38, 9)) as double) / nullif(cast(cast(case when changes.price_before > 0 then changes.price_before end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(changes.unit_price - changes.price_before as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(case when changes.price_before > 0 then changes.price_before end as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(changes.unit_price - changes.price_before) * sign(case when changes.price_before > 0 then changes.price_before end)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as change_rate
    from changes
    left join variants on changes.variant_id = variants.variant_id
    left join items on coalesce(changes.item_id, variants.item_id) = items.item_id
    left join price_lists on changes.price_list_id = price_lists.price_list_id

)

select * from final
