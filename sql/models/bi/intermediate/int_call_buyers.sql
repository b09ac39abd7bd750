{# Whom to call and why, in the order of their tasks. Who is to be called for another reason is
added here alone; who has several is called for the first. #}
with

tasks as (

    select
        *,
        row_number() over (
            partition by buyer_id order by case when task_kind = 'silent' then 0 else 1 end
        ) as place
    from {{ ref('rpt_tasks') }}
    where task_kind in ('silent', 'due')

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
    where place = 1

)

select * from final
