with

orders as (

    select * from {{ ref('fct_orders') }}

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

by_vendor as (

    select
        {{ told('vendor_id') }} as vendor_id,
        buyer_id,
        {{ metric('sales') }} as sales_amount
    from orders
    where is_sale
    group by
        {{ told('vendor_id') }},
        buyer_id

),

buyers as (

    select * from by_vendor
    union all
    select
        'all' as vendor_id,
        buyer_id,
        sum(sales_amount) as sales_amount
    from by_vendor
    group by buyer_id

),

ranked as (

    select
        *,
        row_number() over (
            partition by vendor_id, buyer_id is null
            order by sales_amount desc nulls last, {{ by_code_points('buyer_id') }} asc
        ) as sales_rank,
        greatest(sales_amount, 0) as positive_amount,
        sum(greatest(sales_amount, 0)) over (partition by vendor_id) as all_positive_amount
    from buyers

),

shares as (

    select
        vendor_id,
        count(buyer_id) as buyer_count,
        sum(sales_amount) as sales_amount,
        {{ known_sum('sales_amount', '(case when buyer_id is null then 1 else 0 end)') }}
            as unassigned_sales_amount,
        max(case when sales_rank = 1 and sales_amount is not null then buyer_id end)
            as top_buyer_id,
        {{ known_sum(
            'sales_amount', '(case when sales_rank <= 5 and buyer_id is not null then 1 else 0 end)'
        ) }} as top_5_sales_amount,
        {{ ratio(
            'sum(case when sales_rank <= 5 and buyer_id is not null then positive_amount else 0 end)',
            'max(all_positive_amount)'
        ) }} as top_5_share,
        {{ herfindahl(
            '(case when buyer_id is not null then positive_amount else 0 end)', 'all_positive_amount'
        ) }} as herfindahl_index
    from ranked
    group by vendor_id

),

final as (

    select
        shares.vendor_id,
        {{ vendor_name_or_all('vendor_names.display_name', 'shares.vendor_id') }} as vendor_name,
        shares.buyer_count,
        shares.sales_amount,
        shares.unassigned_sales_amount,
        shares.top_buyer_id,
        shares.top_5_sales_amount,
        shares.top_5_share,
        shares.herfindahl_index
    from shares
    left join vendor_names on shares.vendor_id = {{ as_told('vendor_names.name_key') }}

)

select * from final
