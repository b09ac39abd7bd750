{# What each buyer takes, whatever the variant; orders of one day are one purchase. #}
with

order_lines as (

    select * from {{ ref('fct_order_lines') }}
    where is_sale
        and is_return is not true
        and buyer_id is not null
        and item_key is not null
        and ordered_date is not null

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

by_day as (

    select
        buyer_id,
        item_key,
        ordered_date,
        sum(total_price) as amount
    from order_lines
    group by
        buyer_id,
        item_key,
        ordered_date

),

judged as (

    select
        by_day.*,
        {{ days_between('by_day.ordered_date', 'as_of.as_of_date') }} < {{ days_of_habits() }}
            as is_recent
    from by_day
    cross join as_of

),

final as (

    select
        buyer_id,
        item_key,
        count(*) filter (where is_recent) as recent_purchase_count,
        sum(case when is_recent then amount end) as recent_amount,
        max(ordered_date) as last_ordered_date
    from judged
    group by
        buyer_id,
        item_key

)

select * from final
