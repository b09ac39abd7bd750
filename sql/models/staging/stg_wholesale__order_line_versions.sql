with

standing as (

    {{ raw('orders__order_line_items') }}

),

past as (

    {{ raw('orders__order_line_items__past') }}

),

versions as (

    select
        order_id,
        line_number,
        valid_from,
        cast(null as {{ sql_type('timestamptz') }}) as valid_to
    from standing
    union all
    select
        order_id,
        line_number,
        valid_from,
        valid_to
    from past

)

select * from versions
