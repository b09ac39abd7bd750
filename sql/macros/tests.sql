{# Each key occurs once, and no part of it is NULL. With `by_order` only orders built now are tested:
the others were tested when they were built. #}
{% test primary_key(model, columns, by_order=false) %}
select
    {{ columns | join(', ') }},
    count(*) as row_count
from {{ built_part(model, by_order) }}
group by {{ columns | join(', ') }}
having count(*) > 1
    or {{ columns | join(' is null or ') }} is null
{% endtest %}

{% test one_row(model) %}
select count(*) as row_count
from {{ model }}
having count(*) <> 1
{% endtest %}

{# The other table has every value of the column that is not NULL. `by_order` as above, for another
table that changes only together with orders. #}
{% test belongs_to(model, column_name, to, field, by_order=false) %}
select
    {{ column_name }},
    count(*) as row_count
from {{ built_part(model, by_order) }}
where {{ column_name }} is not null
    and {{ column_name }} not in (select {{ field }} from {{ to }} where {{ field }} is not null)
group by {{ column_name }}
{% endtest %}

{% macro built_part(model, by_order) -%}
    {%- if by_order -%}
(
    select * from {{ model }}
    where order_id in (select order_id from {{ ref('int_orders_to_build') }})
) as built
    {%- else -%}
{{ model }}
    {%- endif -%}
{%- endmacro %}

{# States whose meaning no setting defines, and orders without a state. #}
{% test known_states(model, column_name, states) %}
select
    {{ column_name }},
    count(*) as row_count
from {{ model }}
where not is_deleted
    and not {{ is_one_of(column_name, states) }}
group by {{ column_name }}
{% endtest %}
