-- marts/dim_names (table)
--   name_kind text
--   name_key text
--   display_name text
with

told as (

    select
        'vendor' as name_kind,
        vendor_key as name_key,
        vendor_name as display_name,
        count(*) as row_count,
        max(ordered_at) as last_ordered_at
    from fct_orders
    where vendor_name <> ''
        and vendor_key is not null
    group by
        vendor_key,
        vendor_name
    union all
    select
        'buyer' as name_kind,
        buyer_key as name_key,
        buyer_company_name as display_name,
        count(*) as row_count,
        max(ordered_at) as last_ordered_at
    from fct_orders
    where buyer_company_name <> ''
        and buyer_key is not null
    group by
        buyer_key,
        buyer_company_name
    union all
    select
        'item' as name_kind,
        item_key as name_key,
        item_title as display_name,
        count(*) as row_count,
        max(ordered_at) as last_ordered_at
    from fct_order_lines
    where item_title <> ''
        and item_key is not null
    group by
        item_key,
        item_title
    union all
    select
        'sku' as name_kind,
        sku_key as name_key,
        item_title as display_name,
        count(*) as row_count,
        max(ordered_at) as last_ordered_at
    from fct_order_lines
    where item_title <> ''
        and sku_key is not null
    group by
        sku_key,
        item_title

),

ranked as (

    select
        *,
        row_number() over (
            partition by name_kind, name_key
            order by
                row_count desc,
                last_ordered_at desc nulls last,
                display_name asc
        ) as place
    from told

),

listed as (

    select
        'vendor' as name_kind,
        vendor_id as name_key,
        vendor_name as display_name
    from dim_vendors
    where vendor_name <> ''
    union all
    select
        'buyer' as name_kind,
        buyer_id as name_key,
        company_name as display_name
    from dim_buyers
    where company_name <> ''
    union all
    select
        'item' as name_kind,
        item_id as name_key,
        item_title as display_name
    from dim_items
    where item_title <> ''

),

final as (

    select * from listed
    union all
    select
        ranked.name_kind,
        ranked.name_key,
        ranked.display_name
    from ranked
    where ranked.place = 1
        and not exists (
            select 1
            from listed
            where listed.name_kind = ranked.name_kind
                and listed.name_key = ranked.name_key
        )

)

select * from final
