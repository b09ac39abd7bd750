{# When an order was first seen to move. Another word for the same standing has not moved it. #}
with

changes as (

    select * from {{ ref('fct_order_status_changes') }}
    where standing_after <> standing_before
        and (field_name = 'order_status' or standing_after = 'settled')

),

final as (

    select
        {%- for standing in ['accepted', 'sent', 'done', 'settled'] %}
        {{ business_date(
            "min(case when standing_after = '" ~ standing ~ "' then observed_at end)"
        ) }} as {{ standing }}_date,
        {%- endfor %}
        order_id
    from changes
    group by order_id

)

select * from final
