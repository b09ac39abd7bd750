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

{% test not_null(model, column_name) %}
select count(*) as row_count
from {{ model }}
where {{ column_name }} is null
having count(*) > 0
{% endtest %}

{% test unique(model, column_name) %}
select
    {{ column_name }},
    count(*) as row_count
from {{ model }}
where {{ column_name }} is not null
group by {{ column_name }}
having count(*) > 1
{% endtest %}

{# The column has one of these values, or none. #}
{% test accepted_values(model, column_name, values) %}
select
    {{ column_name }},
    count(*) as row_count
from {{ model }}
where cast({{ column_name }} as {{ sql_type('text') }}) not in ({% for value in values %}{{ text(value) }}{{ ', ' if not loop.last }}{% endfor %})
group by {{ column_name }}
{% endtest %}

{# The other table has every value of the column that is not NULL. For `not in` Spark would send all
values of the other table through its driver. #}
{% test belongs_to(model, column_name, to, field) %}
select
    child.{{ column_name }},
    count(*) as row_count
from {{ model }} as child
where child.{{ column_name }} is not null
    and not exists (select 1 from {{ to }} as parent where parent.{{ field }} = child.{{ column_name }})
group by child.{{ column_name }}
{% endtest %}

{# States whose meaning no setting defines, and orders without a state. #}
{% test known_states(model, column_name) %}
select
    orders.{{ column_name }},
    count(*) as row_count,
    sum(orders.sub_total) as amount
from {{ model }} as orders
left join {{ states() }} as states
    on orders.{{ column_name }} = states.state
    and states.field_name = '{{ column_name }}'
    and not states.is_past
where not orders.is_deleted
    and states.standing is null
group by orders.{{ column_name }}
{% endtest %}
