{# A raw table with the columns and types that the records of the API have.

A table that was not synced has no rows; a field that was never seen, or whose values do not fit its
type, is NULL. The SQL of the package reads `declared_<table>`, a query that `wholesale build` writes
for the columns that it finds; dbt looks for them itself. #}
{% macro raw(table) -%}
    {%- set relation = source('wholesale_raw', table) -%}
    {%- if execute -%}
        {%- set declared = declared_columns(table) -%}
    select
        {%- for name in declared %}
        {{ adapter.quote(name) }}{{ ',' if not loop.last }}
        {%- endfor %}
        {%- if var('is_packaged') %}
    from declared_{{ table }}
        {%- else %}
    from ({{ as_declared(portable(relation), declared) }}) as declared
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{# The columns of a raw table with their types, those that are assumed among them. #}
{% macro declared_columns(table) %}
    {% set declared = {} %}
    {% for column in graph.sources['source.wholesale.wholesale_raw.' ~ table].columns.values() %}
        {% do declared.update({column.name: column.data_type}) %}
    {% endfor %}
    {% do declared.update(assumed_columns().get(table, {})) %}
    {{ return(declared) }}
{% endmacro %}

{# Fields that the API description does not show; they are NULL if a service does not send them so. #}
{% macro assumed_columns() %}
    {% set of_times = {'created_at': 'timestamptz', 'updated_at': 'timestamptz'} %}
    {% set of_prices = {
        'price_list_id': 'text', 'variant_id': 'text', 'item_id': 'text',
        'unit_price': 'decimal(38, 9)'
    } %}
    {{ return({
        'brands': of_times,
        'categories': dict(title='text', parent_id='text', **of_times),
        'custom_fields': dict(name='text', kind='text', applies_to='text', **of_times),
        'item_images': dict(item_id='text', url='text', position='bigint', **of_times),
        'items': {'currency': 'text'},
        'orders': {'currency': 'text', 'invoice_generated_at': 'timestamptz'},
        'orders__order_comments': {'author': 'text', 'body': 'text', 'created_at': 'timestamptz'},
        'orders__order_line_items': {'variant_id': 'text'},
        'price_lists': dict(title='text', description='text', **of_times),
        'prices': dict(of_prices, currency='text', **of_times),
        'prices__observations': of_prices,
    }) }}
{% endmacro %}

{# For dbt: the columns that the table has, by what it finds in the database. #}
{% macro as_declared(relation, declared) -%}
    {%- set found = {} -%}
    {%- set existing = load_relation(relation) -%}
    {%- for column in (adapter.get_columns_in_relation(existing) if existing is not none else []) -%}
        {%- do found.update({column.name: column.data_type}) -%}
    {%- endfor -%}
    select
        {%- for name, type in declared.items() %}
        {% if name in found -%}
            {{ cast_or_null(adapter.quote(name), type) }}
        {%- else -%}
            cast(null as {{ sql_type(type) }})
        {%- endif %} as {{ adapter.quote(name) }}{{ ',' if not loop.last }}
        {%- endfor %}
    {{ 'where false' if existing is none else 'from ' ~ relation }}
{%- endmacro %}

{# A value as a type, or NULL. Each engine reads some numbers and moments that others do not (`NaN`,
`0x10`, `now`, seconds to seven decimals): only forms that all of them read alike are read. #}
{% macro cast_or_null(expression, type) -%}
    {%- set text = 'cast(' ~ expression ~ ' as ' ~ sql_type('text') ~ ')' -%}
    {%- set number = '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$' -%}
    {%- set time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[-+](0[0-9]|1[0-4])(:[0-5][0-9])?)?' -%}
    {%- set moment = '^ *[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}([ T]' ~ time ~ ')? *$' -%}
    {%- if type == 'bigint' -%}
        {{ valid_or_null('round(' ~ cast_or_null(expression, 'decimal(38, 9)') ~ ')', type) }}
    {%- elif type == 'decimal(38, 9)' -%}
        case when {{ matches(text, number) }} then {{ valid_or_null(text, type) }} end
    {%- elif type == 'timestamptz' -%}
        {%- set exact = groups_of(text, '([.][0-9]{6})[0-9]+', [1], '') -%}
        case when {{ matches(text, moment) }} then {{ valid_or_null(exact, type) }} end
    {%- else -%}
        {{ valid_or_null(expression, type) }}
    {%- endif -%}
{%- endmacro %}

{% macro valid_or_null(expression, type) -%}
    {{- adapter.dispatch('valid_or_null', 'wholesale')(expression, type) -}}
{%- endmacro %}

{% macro default__valid_or_null(expression, type) -%}
    try_cast({{ expression }} as {{ sql_type(type) }})
{%- endmacro %}

{% macro postgres__valid_or_null(expression, type) -%}
    {%- set text = 'cast(' ~ expression ~ ' as text)' -%}
    case when pg_input_is_valid({{ text }}, '{{ type }}') then cast({{ text }} as {{ type }}) end
{%- endmacro %}

{# A value as a type, or NULL where it would be another value in that type: unlike `cast_or_null` it
rounds nothing. #}
{% macro exact_or_null(expression, type) -%}
    {%- set text = 'cast(' ~ expression ~ ' as ' ~ sql_type('text') ~ ')' -%}
    {%- set decimal = cast_or_null(expression, 'decimal(38, 9)') -%}
    {%- set digits = '^ *[-+]?([0-9]+[.]?|[0-9]*[.][0-9]{1,9}0*)([eE][+]?[0-9]+)? *$' -%}
    {%- set forms = {
        'decimal(38, 9)': digits,
        'date': '^ *[1-9][0-9]{3}-[0-9]{2}-[0-9]{2} *$',
        'boolean': '^ *([Tt]rue|TRUE|[Ff]alse|FALSE) *$',
    } -%}
    {%- if type == 'bigint' -%}
        case when {{ decimal }} = round({{ decimal }}) then {{ cast_or_null(expression, type) }} end
    {%- elif type in forms -%}
        case when {{ matches(text, forms[type]) }} then {{ valid_or_null(text, type) }} end
    {%- else -%}
        {{ cast_or_null(expression, type) }}
    {%- endif -%}
{%- endmacro %}

{# A model with a column for each of these undocumented fields of its records. #}
{% macro with_fields(sql, columns, fields) -%}
select
    {%- for column in columns %}
    made.{{ column }},
    {%- endfor %}
    {%- for field in fields %}
    extra_fields.{{ field.column }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
{{ sql }}
) as made
left join (
    select
        {{ adapter.quote('id') }} as record_id,
        {%- for field in fields %}
        {{ adapter.quote(field.name) }} as {{ field.column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from declared_{{ fields[0].table }}
) as extra_fields on made.{{ fields[0].key }} = extra_fields.record_id
{%- endmacro %}
