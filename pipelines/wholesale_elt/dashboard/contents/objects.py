"""Objects: the SQL of what has a page of its own: buyers, vendors, products and categories."""

from collections.abc import Mapping

from wholesale_elt.dashboard.news import named

ORDERS_A_PART, ITEMS_A_PART = 2_000, 200
"""About as many orders of buyers, and items, are in a part; at most three times as many orders."""
PARTS_OF_BUYERS = f"""
    select
        buyer_id,
        cast(rows_before // {ORDERS_A_PART} as integer) as part,
        cast(rows_before // {ORDERS_A_PART} + greatest(order_count - 1, 0) // {ORDERS_A_PART}
            as integer) as last_part
    from (
        select
            buyer_id,
            coalesce(ordered.order_count, 0) as order_count,
            coalesce(sum(1 + coalesce(ordered.order_count, 0)) over (
                order by buyer_id rows between unbounded preceding and 1 preceding
            ), 0) as rows_before
        from wholesale_marts.dim_buyers as buyers
        full join wholesale_bi.rpt_reorders as reorders using (buyer_id)
        left join (
            select buyer_key, count(*) as order_count from wholesale_marts.fct_orders group by all
        ) as ordered on buyer_id = ordered.buyer_key
    )
"""
"""The first and the last part of each buyer, of which there are files: these have its orders. Only
one with more orders than a part has further ones."""
PARTS_OF_PRODUCTS = f"""
    select
        product_id,
        item_id,
        cast((dense_rank() over (order by coalesce(item_id, product_id)) - 1)
            // {ITEMS_A_PART} as integer) as part
    from wholesale_bi.rpt_catalogue
"""
"""The part of each product: an item is in one part with all of its variants."""
FIRST_PRODUCTS = "catalogue.sales_amount desc nulls last, catalogue.product_id"
"""How the list of products is sorted: lines of orders name its rows."""

OBJECTS: Mapping[str, str] = {
    "buyers": f"""
        select
            coalesce(buyers.buyer_id, reorders.buyer_id) as buyer_id,
            buyer_names.display_name as company_name,
            buyers.city,
            buyers.state,
            buyers.country,
            buyers.website,
            buyers.price_list_title,
            coalesce(buyers.account_manager_id, reorders.account_manager_id) as account_manager_id,
            coalesce(buyers.is_deleted, false) as is_deleted,
            reorders.order_count,
            reorders.purchase_count,
            reorders.vendor_count,
            reorders.sales_amount,
            reorders.first_ordered_date,
            reorders.last_ordered_date,
            reorders.median_days_between_orders,
            reorders.late_after_days,
            reorders.has_late_percentile,
            reorders.days_since_last_order,
            reorders.monthly_amount,
            coalesce(reorders.is_late, false) as is_late,
            coalesce(reorders.is_lapsed, false) as is_lapsed,
            next_orders.standing,
            next_orders.first_day_50,
            next_orders.last_day_50,
            next_orders.first_day_80,
            next_orders.last_day_80,
            next_orders.first_day_90,
            next_orders.last_day_90,
            next_orders.low_amount,
            next_orders.high_amount,
            next_orders.judged_count,
            next_orders.right_count,
            unpaid.open_amount as owed_amount,
            coalesce(unpaid.order_count, 0) as open_order_count,
            coalesce(unpaid.unknown_order_count, 0) as unknown_order_count,
            unpaid.unknown_amount,
            parts.part,
            parts.last_part
        from wholesale_marts.dim_buyers as buyers
        full join wholesale_bi.rpt_reorders as reorders using (buyer_id)
        left join wholesale_bi.rpt_next_orders as next_orders
            on coalesce(buyers.buyer_id, reorders.buyer_id) = next_orders.buyer_id
        left join ({PARTS_OF_BUYERS}) as parts using (buyer_id)
        left join {named("buyer", "coalesce(buyers.buyer_id, reorders.buyer_id)")}
        left join wholesale_bi.rpt_receivables_by_buyer_totals as unpaid
            on coalesce(buyers.buyer_id, reorders.buyer_id) = unpaid.buyer_id
            and unpaid.due_bucket = 'all'
        order by reorders.sales_amount desc nulls last, 1
    """,
    "vendors": f"""
        select
            coalesce(vendors.vendor_id, sold.vendor_id) as vendor_id,
            vendor_names.display_name as vendor_name,
            vendors.vendor_status,
            vendors.city,
            vendors.state,
            vendors.country,
            vendors.website,
            vendors.minimum_order_value,
            vendors.minimum_order_quantity,
            vendors.order_processing_time,
            vendors.order_processing_on,
            vendors.order_processing_cut_off_time,
            cast(vendors.order_shipping_days as varchar) as order_shipping_days,
            vendors.order_terms,
            vendors.shipping_type,
            cast(vendors.shipping_scheme as varchar) as shipping_scheme,
            score.promise_kept_count,
            score.promise_judged_count,
            score.promise_unknown_count,
            vendors.vendor_id is not null as is_listed,
            coalesce(vendors.is_deleted, false) as is_deleted,
            sold.order_count,
            sold.sales_amount,
            sold.first_ordered_date,
            sold.last_ordered_date
        from wholesale_marts.dim_vendors as vendors
        full join (
            select
                vendor_id,
                count(*) filter (where is_sale) as order_count,
                cast(case when count(*) filter (where is_sale) > 0
                    then sum(sub_total) filter (where is_sale) else 0 end as decimal(38, 9))
                    as sales_amount,
                min(ordered_date) filter (where is_sale) as first_ordered_date,
                max(ordered_date) filter (where is_sale) as last_ordered_date
            from wholesale_marts.fct_orders
            where vendor_id is not null
            group by vendor_id
        ) as sold using (vendor_id)
        left join {named("vendor", "coalesce(vendors.vendor_id, sold.vendor_id)")}
        left join (
            select
                vendor_id,
                count(*) filter (where promise = 'kept') as promise_kept_count,
                count(*) filter (where promise in ('kept', 'broken')) as promise_judged_count,
                count(*) filter (where promise = 'unknown') as promise_unknown_count
            from wholesale_bi.rpt_fulfilment
            group by vendor_id
        ) as score on coalesce(vendors.vendor_id, sold.vendor_id) = score.vendor_id
        order by sold.sales_amount desc nulls last, vendor_id
    """,
    "products": f"""
        select
            catalogue.product_id,
            catalogue.product_kind,
            catalogue.item_id,
            catalogue.sku,
            catalogue.item_title,
            catalogue.variant_title,
            catalogue.vendor_id,
            catalogue.vendor_name,
            catalogue.category_name,
            coalesce(variants.brand_name, items.brand_name) as brand_name,
            catalogue.unit_price,
            coalesce(variants.msrp, items.msrp) as msrp,
            coalesce(variants.quantity_multiplier, items.quantity_multiplier)
                as quantity_multiplier,
            coalesce(items.image_count, 0) as image_count,
            items.first_image_url,
            case when listed.any_is then catalogue.is_orderable end as is_orderable,
            catalogue.is_never_ordered,
            listed.any_is and catalogue.is_ordered_but_inactive as is_ordered_but_inactive,
            catalogue.abc_class,
            catalogue.order_count,
            catalogue.buyer_count,
            catalogue.unit_count,
            catalogue.sales_amount,
            catalogue.first_ordered_date,
            catalogue.last_ordered_date,
            variants.variant_options as options,
            parts.part
        from wholesale_bi.rpt_catalogue as catalogue
        left join ({PARTS_OF_PRODUCTS}) as parts using (product_id)
        cross join (
            select coalesce(bool_or(product_kind <> 'unlisted'), false) as any_is
            from wholesale_bi.rpt_catalogue
        ) as listed
        left join wholesale_marts.dim_variants as variants
            on catalogue.product_id = variants.variant_id
        left join wholesale_marts.dim_items as items on catalogue.item_id = items.item_id
        order by {FIRST_PRODUCTS}
    """,
    "categories": """
        select category_title, max(parent_category_title) as parent_category_title
        from wholesale_marts.dim_categories
        where not is_deleted
        group by category_title
        order by category_title
    """,
    "vendor_steps": """
        select vendor_id, step, order_count, median_days, most_days, longest_days
        from wholesale_bi.rpt_fulfilment_steps
        order by vendor_id, step
    """,
    "vendor_minimums": """
        select
            minimums.vendor_id,
            minimums.minimum_order_value,
            minimums.minimum_order_quantity,
            minimums.valid_from,
            minimums.valid_to
        from wholesale_marts.fct_vendor_minimums as minimums
        order by minimums.vendor_id, minimums.version_number
    """,
}
