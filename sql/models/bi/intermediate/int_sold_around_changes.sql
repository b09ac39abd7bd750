with

changes as (

    select * from {{ ref('int_price_changes') }}

),

catalogue as (

    select * from {{ ref('rpt_catalogue') }}

),

buyers as (

    select * from {{ ref('dim_buyers') }}

),

products as (

    select
        changes.*,
        catalogue.product_id
    from changes
    inner join catalogue on changes.variant_id = catalogue.product_id
    where catalogue.product_kind = 'variant'
    union all
    select
        changes.*,
        catalogue.product_id
    from changes
    inner join catalogue on changes.item_id = catalogue.item_id
    where changes.variant_id is null

),

sold as (

    select
        products.price_change_id,
        order_lines.ordered_date > products.observed_date as is_after,
        order_lines.order_id,
        order_lines.buyer_id,
        order_lines.quantity,
        order_lines.total_price,
        order_lines.is_sale
    from products
    inner join {{ ref('fct_order_lines') }} as order_lines
        on products.product_id = order_lines.product_id
    left join buyers on order_lines.buyer_id = buyers.buyer_id
    where order_lines.is_sale
        and order_lines.ordered_date <> products.observed_date
        and abs({{ days_between('products.observed_date', 'order_lines.ordered_date') }})
        <= products.window_days
        and (not products.is_of_list or products.price_list_id = buyers.price_list_id)

),

sums as (

    select
        price_change_id,
        is_after,
        {{ metric('product_units') }} as unit_count,
        {{ metric('product_sales') }} as sales_amount,
        {{ metric('product_orders') }} as order_count,
        {{ metric('product_buyers') }} as buyer_count
    from sold
    group by
        price_change_id,
        is_after

),

{# Nothing sold is zero, but of a price of which it is not known what it is of. #}
sides as (

    select distinct
        price_change_id,
        false as is_after
    from products
    union all
    select distinct
        price_change_id,
        true as is_after
    from products

),

final as (

    select
        sides.price_change_id,
        {%- for measure in ['unit_count', 'sales_amount', 'order_count', 'buyer_count'] %}
        case when sums.price_change_id is not null then sums.{{ measure }} else 0 end
            as {{ measure }},
        {%- endfor %}
        sides.is_after
    from sides
    left join sums
        on sides.price_change_id = sums.price_change_id
        and sides.is_after = sums.is_after

)

select * from final
