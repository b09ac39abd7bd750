{% set columns = [
    'id', 'status', 'payment_status', 'invoice_status', '_deleted_at', 'valid_from'
] -%}
with

standing as (

    {{ raw('orders') }}

),

past as (

    {{ raw('orders__past') }}

),

versions as (

    select
        {% for name in columns + order_contents() -%}
        {{ name }},
        {% endfor -%}
        cast(null as {{ sql_type('timestamptz') }}) as valid_to
    from standing
    union all
    select
        {% for name in columns + order_contents() -%}
        {{ name }},
        {% endfor -%}
        valid_to
    from past

),

renamed as (

    select
        -- keys
        id || ' ' || coalesce(cast(valid_from as {{ sql_type('varchar') }}), '')
        || ' ' || coalesce(cast(valid_to as {{ sql_type('varchar') }}), '') as order_version_id,
        id as order_id,

        -- text
        {{ state_name('status') }} as order_status,
        {{ state_name('payment_status') }} as payment_status,

        -- amounts
        {{ amount('sub_total') }} as sub_total,
        {{ amount('total') }} as total,

        -- what is compared
        {{ row_hash('status, payment_status, invoice_status') }} as states_hash,
        {{ row_hash(order_contents() | join(', ')) }} as contents_hash,

        -- times
        created_at as ordered_at,
        valid_from,
        valid_to,

        -- deletion
        _deleted_at is not null as is_deleted

    from versions

)

select * from renamed
