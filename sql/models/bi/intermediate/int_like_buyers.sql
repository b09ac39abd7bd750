{# Which buyers are like one to call: of those with products in common the ones with the largest
share of them in all that either takes. #}
with

{# There are more pairs of buyers than orders, so they have short keys. #}
takings as (

    select
        buyer_id,
        {{ compact('buyer_id') }} as buyer_key,
        {{ compact('item_key') }} as item_key
    from {{ ref('int_buyer_products') }}
    where recent_purchase_count > 0

),

sizes as (

    select
        buyer_id,
        buyer_key,
        count(*) as product_count
    from takings
    group by buyer_id, buyer_key

),

shared as (

    select
        own.buyer_key,
        peers.buyer_key as like_buyer_key,
        count(*) as shared_count
    from {{ ref('int_call_buyers') }} as buyers
    inner join takings as own on buyers.buyer_id = own.buyer_id
    inner join takings as peers
        on own.item_key = peers.item_key
        and own.buyer_key <> peers.buyer_key
    group by
        own.buyer_key,
        peers.buyer_key
    having count(*) >= {{ fewest_shared_products() }}

),

compared as (

    select
        own.buyer_id,
        peers.buyer_id as like_buyer_id,
        shared.shared_count,
        {{ ratio(
            'shared.shared_count',
            'own.product_count + peers.product_count - shared.shared_count'
        ) }} as shared_share
    from shared
    inner join sizes as own on shared.buyer_key = own.buyer_key
    inner join sizes as peers on shared.like_buyer_key = peers.buyer_key

),

ranked as (

    select
        *,
        row_number() over (
            partition by buyer_id
            order by shared_share desc, shared_count desc, {{ by_code_points('like_buyer_id') }} asc
        ) as place,
        count(*) over (partition by buyer_id) as found_count
    from compared

),

final as (

    select
        buyer_id,
        like_buyer_id,
        shared_count,
        shared_share,
        least(found_count, {{ most_like_buyers() }}) as like_buyer_count
    from ranked
    where place <= {{ most_like_buyers() }}
        and found_count >= {{ fewest_like_buyers() }}

)

select * from final
