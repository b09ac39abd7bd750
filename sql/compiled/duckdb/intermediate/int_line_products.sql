-- intermediate/int_line_products (table)
with

line_names as (

    select
        *,
        lower(translate(sku, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288), '')) as sku_key
    from int_line_names

),

listed_products as (

    select
        *,
        lower(translate(sku, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288), '')) as sku_key
    from int_listed_products

),

observed_skus as (

    select
        case
        when length(variant_id) = 36 and variant_id = lower(variant_id) then variant_id
        when variant_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(variant_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else variant_id
    end as variant_id,
        case
        when length(item_id) = 36 and item_id = lower(item_id) then item_id
        when item_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(item_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else item_id
    end as item_id,
        sku as sku
    from obs_skus

),

named as (

    select
        line_names.*,
        listed_products.product_id,
        1 as nearness
    from line_names
    inner join listed_products
        on coalesce(line_names.variant_id, line_names.item_id) = listed_products.product_id
        and listed_products.product_kind = 'variant'
    union all
    select
        line_names.*,
        listed_products.product_id,
        case
            when listed_products.product_kind = 'item'
                then 4
            when (line_names.sku_key is not distinct from listed_products.sku_key)
                then 2
            else 5
        end as nearness
    from line_names
    inner join listed_products on line_names.item_id = listed_products.item_id
    union all
    select
        line_names.*,
        observed_skus.variant_id as product_id,
        3 as nearness
    from line_names
    inner join observed_skus
        on line_names.item_id = observed_skus.item_id
        and line_names.sku_key = lower(translate(observed_skus.sku, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288), ''))

),

nearest as (

    select
        line_product_id,
        sku,
        is_sold,
        product_id,
        min(nearness) as nearness
    from named
    group by line_product_id, sku, is_sold, product_id

),

ranked as (

    select
        nearest.*,
        listed_products.product_kind,
        listed_products.is_orderable,
        min(nearest.nearness) over (partition by nearest.line_product_id) as best_nearness,
        rank() over (
            partition by nearest.line_product_id
            order by
                nearest.nearness asc, (nearest.sku is not distinct from listed_products.sku) desc,
                listed_products.is_orderable desc
        ) as place
    from nearest
    inner join listed_products on nearest.product_id = listed_products.product_id

),

meant as (

    select
        line_product_id,
        max(product_id) as product_id
    from ranked
    where place = 1
        and nearness <> 5
    group by line_product_id
    having count(*) = 1

),

final as (

    select
        ranked.line_product_id,
        ranked.is_sold,
        ranked.product_id,
        ranked.product_kind,
        ranked.is_orderable,
        coalesce(ranked.product_id = meant.product_id, false) as is_meant
    from ranked
    left join meant on ranked.line_product_id = meant.line_product_id
    where meant.product_id is null
        or ranked.nearness = ranked.best_nearness
        or ranked.nearness = 4
        or (
            ranked.best_nearness = 2
            and ranked.nearness = 3
        )

)

select * from final
