-- bi/rpt_daily_sales (table)
--   daily_sales_id text
--   date_day date
--   vendor_id text
--   vendor_name text
--   order_count bigint
--   buyer_count bigint
--   unit_count bigint
--   sales_amount decimal(38, 9)
--   billed_amount decimal(38, 9)
--   discount_amount decimal(38, 9)
--   average_order_value decimal(38, 6)
--   sales_amount_7_days decimal(38, 9)
--   sales_amount_28_days decimal(38, 9)
--   sales_amount_28_days_year_before decimal(38, 9)
--   year_on_year_growth decimal(38, 6)
with

daily_sales as (

    select * from int_daily_sales

),

vendors as (

    select * from dim_vendors

),

as_of as (

    select * from int_as_of

),

windowed as (

    select
        daily_sales.*,
        case
            when count(*) over last_7_days = 7 and daily_sales.date_day <= as_of.figures_up_to
                then case
        when sum(daily_sales.order_count) over last_7_days > 0
            then sum(case when daily_sales.order_count > 0 then daily_sales.sales_amount end) over last_7_days
        else 0
    end
        end as sales_amount_7_days,
        case
            when count(*) over last_28_days = 28 and daily_sales.date_day <= as_of.figures_up_to
                then case
        when sum(daily_sales.order_count) over last_28_days > 0
            then sum(case when daily_sales.order_count > 0 then daily_sales.sales_amount end) over last_28_days
        else 0
    end
        end as sales_amount_28_days
    from daily_sales
    cross join as_of
    window
        last_7_days as (
            partition by daily_sales.vendor_id order by daily_sales.date_day
            rows between 6 preceding and current row
        ),
        last_28_days as (
            partition by daily_sales.vendor_id order by daily_sales.date_day
            rows between 27 preceding and current row
        )

),

compared as (

    select
        *,
        lag(sales_amount_28_days, 364) over (
            partition by vendor_id order by date_day
        ) as sales_amount_28_days_year_before
    from windowed

),

final as (

    select
        compared.vendor_id || '-' || compared.date_day as daily_sales_id,
        compared.date_day,
        compared.vendor_id,
        vendors.vendor_name,
        compared.order_count,
        compared.buyer_count,
        compared.unit_count,
        compared.sales_amount,
        compared.billed_amount,
        compared.discount_amount,
        compared.average_order_value,
        compared.sales_amount_7_days,
        compared.sales_amount_28_days,
        compared.sales_amount_28_days_year_before,
        cast(
        round(
            cast(compared.sales_amount_28_days - compared.sales_amount_28_days_year_before as decimal(38, 9))
            / nullif(cast(case when compared.sales_amount_28_days_year_before > 0 then compared.sales_amount_28_days_year_before end as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as year_on_year_growth
    from compared
    left join vendors on compared.vendor_id = case
        when vendors.vendor_id in ('all', 'unknown', 'none') or vendors.vendor_id like '"%' then '"' || replace(vendors.vendor_id, '"', '""') || '"'
        else vendors.vendor_id
    end

)

select * from final
