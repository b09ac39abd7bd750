with

catalogue as (

    select
        *,
        {{ told('vendor_id') }} as vendor
    from {{ ref('rpt_catalogue') }}

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

sums as (

    select
        coalesce(vendor, 'all') as vendor_id,
        abc_class,
        count(*) as product_count,
        count(*) filter (where is_never_ordered) as never_ordered_count,
        count(*) filter (where is_ordered_but_inactive) as ordered_but_inactive_count,
        {{ known_sum('sales_amount', 'order_count') }} as sales_amount
    from catalogue
    group by abc_class, rollup (vendor)

),

final as (

    select
        sums.vendor_id || '-' || sums.abc_class as catalogue_class_id,
        sums.vendor_id,
        {{ vendor_name_or_all('vendor_names.display_name', 'sums.vendor_id') }} as vendor_name,
        sums.abc_class,
        sums.product_count,
        {{ ratio(
            'sums.product_count', 'sum(sums.product_count) over (partition by sums.vendor_id)'
        ) }} as product_share,
        sums.never_ordered_count,
        sums.ordered_but_inactive_count,
        sums.sales_amount,
        {{ ratio(
            'sums.sales_amount', 'sum(sums.sales_amount) over (partition by sums.vendor_id)'
        ) }} as sales_share
    from sums
    left join vendor_names on sums.vendor_id = {{ as_told('vendor_names.name_key') }}

)

select * from final
