-- bi/rpt_catalogue (table)
--   product_id text
--   product_kind text
--   item_id text
--   sku text
--   item_title text
--   variant_title text
--   vendor_id text
--   vendor_name text
--   category_name text
--   unit_price decimal(38, 9)
--   is_orderable boolean
--   order_count bigint
--   buyer_count bigint
--   repeat_buyer_count bigint
--   repeat_buyer_rate decimal(38, 6)
--   unit_count bigint
--   sales_amount decimal(38, 9)
--   first_ordered_date date
--   last_ordered_date date
--   abc_class text
--   is_never_ordered boolean
--   is_ordered_but_inactive boolean
with

listed_products as (

    select * from int_listed_products

),

product_sales as (

    select * from int_product_sales

),

perhaps_sold as (

    select distinct product_id
    from int_line_products
    where is_sold

),

unlisted_products as (

    select * from int_unlisted_products

),

products as (

    select * from listed_products
    union all
    select
        product_id,
        'unlisted' as product_kind,
        item_id,
        sku,
        item_title,
        variant_title,
        vendor_id,
        vendor_name,
        category_name,
        cast(null as decimal(38, 9)) as unit_price,
        is_orderable
    from unlisted_products

),

measured as (

    select
        products.*,
        perhaps_sold.product_id is not null as is_perhaps_sold,
        coalesce(product_sales.order_count, 0) as order_count,
        coalesce(product_sales.buyer_count, 0) as buyer_count,
        coalesce(product_sales.repeat_buyer_count, 0) as repeat_buyer_count,
        case when product_sales.order_count > 0 then product_sales.unit_count else 0 end
            as unit_count,
        case when product_sales.order_count > 0 then product_sales.sales_amount else 0 end
            as sales_amount,
        product_sales.first_ordered_date,
        product_sales.last_ordered_date
    from products
    left join product_sales on products.product_id = product_sales.product_id
    left join perhaps_sold on products.product_id = perhaps_sold.product_id

),

ranked as (

    select
        *,
        sum(sales_amount) over (
            order by sales_amount desc nulls last, product_id asc
            rows between unbounded preceding and current row
        ) - sales_amount as sales_amount_before,
        sum(sales_amount) over () as all_sales_amount
    from measured

),

final as (

    select
        product_id,
        product_kind,
        item_id,
        sku,
        item_title,
        variant_title,
        vendor_id,
        vendor_name,
        category_name,
        unit_price,
        is_orderable,
        order_count,
        buyer_count,
        repeat_buyer_count,
        cast(
        round(
            cast(repeat_buyer_count as decimal(38, 9))
            / nullif(cast(buyer_count as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as repeat_buyer_rate,
        unit_count,
        sales_amount,
        first_ordered_date,
        last_ordered_date,
        case
            when coalesce(sales_amount, 0) <= 0 then 'C'
            when sales_amount_before < 0.8 * all_sales_amount then 'A'
            when sales_amount_before < 0.95 * all_sales_amount then 'B'
            else 'C'
        end as abc_class,
        product_kind <> 'unlisted'
        and is_orderable
        and order_count = 0
        and not is_perhaps_sold as is_never_ordered,
        not is_orderable and order_count > 0 as is_ordered_but_inactive
    from ranked

)

select * from final
