-- bi/rpt_vendor_scorecard (table)
--   vendor_scorecard_id text
--   vendor_id text
--   vendor_name text
--   month_start date
--   is_month_finished boolean
--   order_count bigint
--   sales_amount decimal(38, 9)
--   billed_amount decimal(38, 9)
--   buyer_count bigint
--   new_buyer_count bigint
--   average_order_value decimal(38, 6)
--   units_per_order decimal(38, 6)
--   discount_rate decimal(38, 6)
--   fee_rate decimal(38, 6)
--   below_minimum_value_rate decimal(38, 6)
--   sold_item_count bigint
--   published_item_count bigint
--   catalogue_sold_rate decimal(38, 6)
with

orders as (

    select
        *,
        coalesce(case
        when vendor_id in ('all', 'unknown', 'none') or vendor_id like '"%' then '"' || replace(vendor_id, '"', '""') || '"'
        else vendor_id
    end, 'unknown') as vendor
    from fct_orders
    where is_sale

),

items as (

    select distinct
        coalesce(case
        when vendor_id in ('all', 'unknown', 'none') or vendor_id like '"%' then '"' || replace(vendor_id, '"', '""') || '"'
        else vendor_id
    end, 'unknown') as vendor,
        cast(date_trunc('month', ordered_date) as date) as month_start,
        item_id
    from fct_order_lines
    where is_sale

),

vendors as (

    select * from dim_vendors

),

first_orders as (

    select * from int_first_orders

),

sales as (

    select
        vendor as vendor_id,
        cast(date_trunc('month', ordered_date) as date) as month_start,
        cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as order_count,
        count(distinct case when is_sale then buyer_id end) as buyer_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as billed_amount,
        cast(
        round(
            cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9))
            / nullif(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as average_order_value,
        cast(
        round(
            cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint) as decimal(38, 9))
            / nullif(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as units_per_order,
        cast(
        round(
            cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9)) as decimal(38, 9))
            / nullif(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total_before_discounts end) else 0 end as decimal(38, 9)) as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as discount_rate,
        cast(
        round(
            cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then transaction_fee end) else 0 end as decimal(38, 9)) as decimal(38, 9))
            / nullif(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as fee_rate,
        cast(
        round(
            cast(cast(coalesce(sum(case when is_sale and is_return is not true and sub_total < vendor_minimum_order_value then 1 else 0 end), 0) as bigint) as decimal(38, 9))
            / nullif(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as below_minimum_value_rate
    from orders
    group by
        vendor,
        cast(date_trunc('month', ordered_date) as date)

),

new_buyers as (

    select
        vendor_id,
        cast(date_trunc('month', first_ordered_date) as date) as month_start,
        count(*) as new_buyer_count
    from first_orders
    group by
        vendor_id,
        cast(date_trunc('month', first_ordered_date) as date)

),

published_items as (

    select
        item_id,
        case
        when vendor_id in ('all', 'unknown', 'none') or vendor_id like '"%' then '"' || replace(vendor_id, '"', '""') || '"'
        else vendor_id
    end as vendor_id
    from dim_items
    where item_status = 'published'
        and not is_deleted

),

items_sold as (

    select
        items.vendor as vendor_id,
        items.month_start,
        count(items.item_id) as sold_item_count,
        count(published_items.item_id) as listed_item_count
    from items
    left join published_items
        on items.item_id = published_items.item_id
        and items.vendor = published_items.vendor_id
    group by items.vendor, items.month_start

),

catalogues as (

    select
        vendor_id,
        count(*) as published_item_count
    from published_items
    group by vendor_id

),

final as (

    select
        sales.vendor_id || '-' || coalesce(cast(sales.month_start as string), 'undated') as vendor_scorecard_id,
        sales.vendor_id,
        vendors.vendor_name,
        sales.month_start,
        add_months(sales.month_start, -(-1)) - 1 <= (
        select as_of.figures_up_to from int_as_of as as_of
    ) as is_month_finished,
        sales.order_count,
        sales.sales_amount,
        sales.billed_amount,
        sales.buyer_count,
        coalesce(new_buyers.new_buyer_count, 0) as new_buyer_count,
        sales.average_order_value,
        sales.units_per_order,
        sales.discount_rate,
        sales.fee_rate,
        sales.below_minimum_value_rate,
        coalesce(items_sold.sold_item_count, 0) as sold_item_count,
        coalesce(catalogues.published_item_count, 0) as published_item_count,
        cast(
        round(
            cast(coalesce(items_sold.listed_item_count, 0) as decimal(38, 9))
            / nullif(cast(catalogues.published_item_count as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    )
            as catalogue_sold_rate
    from sales
    left join vendors on sales.vendor_id = case
        when vendors.vendor_id in ('all', 'unknown', 'none') or vendors.vendor_id like '"%' then '"' || replace(vendors.vendor_id, '"', '""') || '"'
        else vendors.vendor_id
    end
    left join new_buyers
        on sales.vendor_id = new_buyers.vendor_id
        and sales.month_start is not distinct from new_buyers.month_start
    left join items_sold
        on sales.vendor_id = items_sold.vendor_id
        and sales.month_start is not distinct from items_sold.month_start
    left join catalogues on sales.vendor_id = catalogues.vendor_id

)

select * from final
