{{ config(severity='warn') }}

{%- set expected = {
    'order_status': var('expected_order_statuses'),
    'payment_status': var('expected_payment_statuses'),
} %}

{% for field, states in expected.items() -%}
{% for state in states -%}
select
    '{{ field }}' as field_name,
    {{ text(state) }} as state
where not exists (
        select 1
        from {{ ref('fct_orders') }}
        where {{ field }} = {{ text(state) }}
    )
union all
{% endfor -%}
{% endfor -%}
select
    cast(null as {{ sql_type('text') }}) as field_name,
    cast(null as {{ sql_type('text') }}) as state
from {{ ref('fct_orders') }}
where false
