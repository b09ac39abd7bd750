-- bi/rpt_geography (table)
--   geography_id text
--   shipping_country text
--   shipping_state text
--   state text
--   month_start date
--   is_month_finished boolean
--   order_count bigint
--   buyer_count bigint
--   sales_amount decimal(38, 9)
--   billed_amount decimal(38, 9)
--   average_order_value decimal(38, 6)
with

orders as (

    select
        *,
        coalesce(case
        when nullif(fct_orders.shipping_country, '') in ('all', 'unknown', 'none') or nullif(fct_orders.shipping_country, '') like '"%' then '"' || replace(nullif(fct_orders.shipping_country, ''), '"', '""') || '"'
        else nullif(fct_orders.shipping_country, '')
    end, 'unknown') as country,
        coalesce(case
        when nullif(fct_orders.shipping_state, '') in ('all', 'unknown', 'none') or nullif(fct_orders.shipping_state, '') like '"%' then '"' || replace(nullif(fct_orders.shipping_state, ''), '"', '""') || '"'
        else nullif(fct_orders.shipping_state, '')
    end, 'unknown') as region,
        case
        when nullif(fct_orders.shipping_country, '') like '%-%' then '"' || replace(nullif(fct_orders.shipping_country, ''), '"', '""') || '"'
        else coalesce(case
        when nullif(fct_orders.shipping_country, '') in ('all', 'unknown', 'none') or nullif(fct_orders.shipping_country, '') like '"%' then '"' || replace(nullif(fct_orders.shipping_country, ''), '"', '""') || '"'
        else nullif(fct_orders.shipping_country, '')
    end, 'unknown')
    end || coalesce('-' || nullif(fct_orders.shipping_state, ''), '') as state
    from fct_orders as fct_orders

),

final as (

    select
        md5(
        coalesce(length(country) || ':' || country, 'null') || ',' ||
        coalesce(length(region) || ':' || region, 'null') || ',' ||
        coalesce(length(coalesce(cast(cast(date_trunc('month', ordered_date) as date) as varchar), 'undated')) || ':' || coalesce(cast(cast(date_trunc('month', ordered_date) as date) as varchar), 'undated'), 'null')
    ) as geography_id,
        country as shipping_country,
        region as shipping_state,
        state,
        cast(date_trunc('month', ordered_date) as date) as month_start,
        cast(cast(date_trunc('month', ordered_date) as date) - -1 * interval '1 month' as date) - 1 <= (
        select as_of.figures_up_to from int_as_of as as_of
    ) as is_month_finished,
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
    ) as average_order_value
    from orders
    where is_sale
    group by
        country,
        region,
        state,
        cast(date_trunc('month', ordered_date) as date)

)

select * from final
