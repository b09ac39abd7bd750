{# How many lines of an order each sync brought, replaced or took away. #}
with

lines as (

    select * from {{ ref('stg_wholesale__order_line_versions') }}

),

changes as (

    select
        order_id,
        line_number,
        valid_from as changed_at
    from lines
    where valid_from is not null
    union
    select
        order_id,
        line_number,
        valid_to as changed_at
    from lines
    where valid_to is not null

),

final as (

    select
        order_id,
        changed_at,
        count(*) as line_count
    from changes
    group by
        order_id,
        changed_at

)

select * from final
