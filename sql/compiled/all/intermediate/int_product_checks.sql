-- intermediate/int_product_checks (table)
with

order_lines as (

    select * from fct_order_lines

),

catalogue as (

    select * from rpt_catalogue

),

line_totals as (

    select
        coalesce(sum(total_price), 0) as sales_amount,
        coalesce(sum(quantity), 0) as unit_count
    from order_lines
    where is_sale

),

catalogue_totals as (

    select
        coalesce(sum(sales_amount), 0) as sales_amount,
        coalesce(sum(unit_count), 0) as unit_count
    from catalogue

),

sold_items as (

    select distinct item_id
    from order_lines
    where is_sale

),

catalogue_items as (

    select
        item_id,
        bool_or(is_orderable and product_kind <> 'unlisted') as is_orderable,
        bool_or(product_kind = 'unlisted' and order_count > 0) as has_unlisted_sales
    from catalogue
    group by item_id

),

contradictions as (

    select
        count(
            case
                when catalogue_items.has_unlisted_sales or catalogue.product_kind = 'item'
                    then sold_items.item_id
            end
        ) filter (where catalogue.is_never_ordered) as sold_count,
        count(
            case when catalogue_items.is_orderable then catalogue.item_id end
        ) filter (
            where catalogue.is_ordered_but_inactive and catalogue.product_kind <> 'variant'
        ) as orderable_count
    from catalogue
    inner join catalogue_items on catalogue.item_id = catalogue_items.item_id
    left join sold_items on catalogue.item_id = sold_items.item_id

),

final as (

    select
        'lines sold against rpt_catalogue' as check_name,
        'orders' as resource,
        line_totals.sales_amount as expected,
        catalogue_totals.sales_amount as found,
        abs(line_totals.unit_count - catalogue_totals.unit_count) as difference_count
    from line_totals
    cross join catalogue_totals
    union all
    select
        'items sold against never ordered' as check_name,
        'items' as resource,
        0 as expected,
        sold_count as found,
        sold_count as difference_count
    from contradictions
    union all
    select
        'items that can be ordered against inactive' as check_name,
        'items' as resource,
        0 as expected,
        orderable_count as found,
        orderable_count as difference_count
    from contradictions

)

select * from final
