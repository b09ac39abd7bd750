with

order_lines as (

    select * from {{ ref('fct_order_lines') }}

),

items as (

    select * from {{ ref('dim_items') }}

),

variants as (

    select * from {{ ref('dim_variants') }}

),

listed as (

    select
        variants.variant_id as product_id,
        'variant' as product_kind,
        variants.item_id,
        variants.sku,
        variants.item_title,
        variants.variant_title,
        variants.vendor_id,
        variants.vendor_name,
        variants.category_name,
        variants.unit_price,
        not variants.is_deleted
            and coalesce(variants.sku_status, 'active') = 'active'
            and coalesce(variants.item_status, 'published') = 'published' as is_orderable
    from variants
    union all
    select
        items.item_id as product_id,
        'item' as product_kind,
        items.item_id,
        items.sku,
        items.item_title,
        cast(null as text) as variant_title,
        items.vendor_id,
        items.vendor_name,
        items.category_name,
        items.unit_price,
        not items.is_deleted
            and coalesce(items.item_status, 'published') = 'published' as is_orderable
    from items
    where not exists (
        select 1 from variants where variants.item_id = items.item_id
    )

),

skus as (

    select
        item_id,
        sku,
        min(product_id) as product_id
    from listed
    group by
        item_id,
        sku

),

sales_by_buyer as (

    select
        item_id,
        sku,
        buyer_id,
        count(*) filter (where is_first_of_product) as order_count,
        cast(sum(quantity) as bigint) as unit_count,
        sum(total_price) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from order_lines
    where is_sale
    group by
        item_id,
        sku,
        buyer_id

),

sold as (

    select
        coalesce(
            skus.product_id,
            coalesce(sales_by_buyer.item_id, '') || '-' || coalesce(sales_by_buyer.sku, '')
        ) as product_id,
        skus.product_id is null as is_unlisted,
        sales_by_buyer.*
    from sales_by_buyer
    left join skus
        on sales_by_buyer.item_id = skus.item_id
        and sales_by_buyer.sku is not distinct from skus.sku

),

unlisted as (

    select distinct
        product_id,
        item_id,
        sku
    from sold
    where is_unlisted

),

products as (

    select * from listed
    union all
    select
        unlisted.product_id,
        'unlisted' as product_kind,
        unlisted.item_id,
        unlisted.sku,
        items.item_title,
        cast(null as text) as variant_title,
        items.vendor_id,
        items.vendor_name,
        items.category_name,
        cast(null as decimal(38, 9)) as unit_price,
        false as is_orderable
    from unlisted
    left join items on unlisted.item_id = items.item_id

),

sales as (

    select
        product_id,
        cast(sum(order_count) as bigint) as order_count,
        count(distinct buyer_id) as buyer_count,
        count(distinct case when order_count > 1 then buyer_id end) as repeat_buyer_count,
        cast(sum(unit_count) as bigint) as unit_count,
        sum(sales_amount) as sales_amount,
        min(first_ordered_date) as first_ordered_date,
        max(last_ordered_date) as last_ordered_date
    from sold
    group by product_id

),

ranked as (

    select
        products.*,
        coalesce(sales.order_count, 0) as order_count,
        coalesce(sales.buyer_count, 0) as buyer_count,
        coalesce(sales.repeat_buyer_count, 0) as repeat_buyer_count,
        coalesce(sales.unit_count, 0) as unit_count,
        coalesce(sales.sales_amount, 0) as sales_amount,
        sales.first_ordered_date,
        sales.last_ordered_date,
        sum(coalesce(sales.sales_amount, 0)) over (
            order by coalesce(sales.sales_amount, 0) desc, products.product_id
            rows between unbounded preceding and current row
        ) - coalesce(sales.sales_amount, 0) as sales_amount_before,
        sum(coalesce(sales.sales_amount, 0)) over () as all_sales_amount
    from products
    left join sales on products.product_id = sales.product_id

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
        {{ ratio('repeat_buyer_count', 'buyer_count') }} as repeat_buyer_rate,
        unit_count,
        sales_amount,
        first_ordered_date,
        last_ordered_date,
        case
            when sales_amount <= 0 then 'C'
            when sales_amount_before < 0.8 * all_sales_amount then 'A'
            when sales_amount_before < 0.95 * all_sales_amount then 'B'
            else 'C'
        end as abc_class,
        is_orderable and order_count = 0 as is_never_ordered,
        not is_orderable and order_count > 0 as is_ordered_but_inactive
    from ranked

)

select * from final
