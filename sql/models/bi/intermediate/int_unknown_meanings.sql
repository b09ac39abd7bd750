with

states as (

    select * from {{ ref('rpt_order_states') }}

),

terms as (

    select * from {{ ref('rpt_order_terms') }}

),

{# Words of vendors on when they ship, with their orders, of none of which a day is promised. #}
processing as (

    select
        vendors.unknown_field as field_name,
        vendors.unknown_key,
        max({{ by_code_points('vendors.unknown_text') }}) as state,
        count(*) as order_count,
        sum(orders.sub_total) as amount
    from {{ ref('int_purchases') }} as orders
    inner join {{ ref('int_vendor_processing') }} as vendors
        on orders.vendor_id = vendors.vendor_id
    where vendors.unknown_field is not null
    group by
        vendors.unknown_field,
        vendors.unknown_key

),

final as (

    select
        order_state_id as unknown_meaning_id,
        field_name,
        state,
        order_count,
        amount
    from states
    where standing = 'unknown'
        and state is not null
        and order_count > 0
    union all
    select
        order_terms_id as unknown_meaning_id,
        'order_terms' as field_name,
        order_terms as state,
        order_count,
        amount
    from terms
    where order_terms is not null
        and terms_days is null
        and order_count > 0
    union all
    select
        field_name || '-' || unknown_key as unknown_meaning_id,
        field_name,
        state,
        order_count,
        amount
    from processing

)

select * from final
