with

states as (

    select * from {{ ref('rpt_order_states') }}

),

terms as (

    select * from {{ ref('rpt_order_terms') }}

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

)

select * from final
