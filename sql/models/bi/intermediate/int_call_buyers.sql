{# Whom to call and why, in the order of their tasks. Who is to be called for another reason is
added here alone. #}
with

tasks as (

    select * from {{ ref('rpt_tasks') }}
    where task_kind = 'silent'

),

final as (

    select
        buyer_id,
        task_kind as call_reason,
        position,
        order_id,
        order_number,
        basket_amount
    from tasks

)

select * from final
