{# Each key occurs once, and no part of it is NULL. #}
{% test primary_key(model, columns) %}
select
    {{ columns | join(', ') }},
    count(*) as row_count
from {{ model }}
group by {{ columns | join(', ') }}
having count(*) > 1
    or {{ columns | join(' is null or ') }} is null
{% endtest %}

{% test one_row(model) %}
select count(*) as row_count
from {{ model }}
having count(*) <> 1
{% endtest %}

{# The other table has every value of the column that is not NULL. #}
{% test belongs_to(model, column_name, to, field) %}
select
    {{ column_name }},
    count(*) as row_count
from {{ model }}
where {{ column_name }} is not null
    and {{ column_name }} not in (select {{ field }} from {{ to }} where {{ field }} is not null)
group by {{ column_name }}
{% endtest %}

{# States whose meaning no setting defines, and orders without a state. #}
{% test known_states(model, column_name) %}
select
    orders.{{ column_name }},
    count(*) as row_count
from {{ model }} as orders
left join {{ states() }} as states
    on orders.{{ column_name }} = states.state
    and states.field_name = '{{ column_name }}'
where not orders.is_deleted
    and not coalesce(states.is_known, false)
group by orders.{{ column_name }}
{% endtest %}
