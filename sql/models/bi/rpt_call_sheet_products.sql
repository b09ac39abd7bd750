with

names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'item'

),

takings as (

    select * from {{ ref('int_buyer_products') }}

),

{# Without a catalogue it is not known whether anything is on offer. #}
offers as (

    select
        item_id,
        max(case when is_orderable then 1 else 0 end) = 1 as is_offered
    from {{ ref('rpt_catalogue') }}
    where product_kind <> 'unlisted'
    group by item_id

),

taken_by_like as (

    select
        buyers.buyer_id,
        takings.item_key,
        buyers.like_buyer_count,
        count(*) as taking_buyer_count
    from {{ ref('int_like_buyers') }} as buyers
    inner join takings
        on buyers.like_buyer_id = takings.buyer_id
        and takings.recent_purchase_count > 0
    group by
        buyers.buyer_id,
        takings.item_key,
        buyers.like_buyer_count
    having count(*) >= {{ fewest_taking_buyers() }}
        and {{ fewest_taking_buyers() }} * count(*) >= buyers.like_buyer_count

),

suggested as (

    select taken_by_like.*
    from taken_by_like
    left join takings as own
        on taken_by_like.buyer_id = own.buyer_id
        and taken_by_like.item_key = own.item_key
    where own.buyer_id is null

),

told as (

    select
        buyer_id,
        item_key,
        'usual' as product_list,
        recent_purchase_count as purchase_count,
        recent_amount as amount,
        usual_quantity,
        last_ordered_date,
        is_left_out,
        cast(null as bigint) as like_buyer_count,
        cast(null as bigint) as taking_buyer_count
    from {{ ref('int_usual_products') }}
    union all
    select
        buyer_id,
        item_key,
        'suggested' as product_list,
        0 as purchase_count,
        cast(null as decimal(38, 9)) as amount,
        cast(null as bigint) as usual_quantity,
        cast(null as date) as last_ordered_date,
        false as is_left_out,
        like_buyer_count,
        taking_buyer_count
    from suggested

),

ranked as (

    select
        told.*,
        names.display_name as item_title,
        offers.is_offered,
        row_number() over (
            partition by told.buyer_id, told.product_list
            order by
                case when told.is_left_out then 0 else 1 end,
                told.purchase_count desc,
                told.taking_buyer_count desc nulls last,
                told.amount desc nulls last,
                {{ by_code_points('told.item_key') }} asc
        ) as position
    from told
    left join names on told.item_key = names.name_key
    left join offers on told.item_key = offers.item_id
    where told.product_list = 'usual'
        or offers.is_offered is not false

),

final as (

    select
        {{ key_of(['buyer_id', 'item_key']) }} as call_product_id,
        buyer_id,
        product_list,
        position,
        item_key,
        item_title,
        is_offered,
        purchase_count,
        usual_quantity,
        last_ordered_date,
        is_left_out,
        taking_buyer_count,
        like_buyer_count
    from ranked
    where position <= case
            when product_list = 'usual' then {{ most_usual_products() }}
            else {{ most_suggested_products() }}
        end

)

select * from final
