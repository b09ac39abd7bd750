{# A key of several values, none of which has to be free of any character: each goes in with its
length, so that no two lists of values are the same text. NULL and '' are two values. #}
{% macro key_of(values) -%}
    md5(
        {%- for value in values %}
        coalesce(length({{ value }}) || ':' || {{ value }}, 'null') {{- " || ',' ||" if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}

{# A column; if it has ids of records or refers to some, they are spelled alike in all tables. #}
{% macro joinable(name, expression) -%}
    {%- set is_of_record = (name == 'id' or name.endswith('_id')) and name != 'run_id' -%}
    {{- plain_guid(expression) if is_of_record else expression -}}
{%- endmacro %}

{# A GUID by its digits: in small letters and with dashes, however it is spelled; any other text as it
is. Most GUIDs are spelled so already, which is soon seen. #}
{% macro plain_guid(key) -%}
    {%- set four = '([0-9A-Fa-f]{4})' -%}
    {%- set digits = '([0-9A-Fa-f]{8})-?' ~ [four, four, four] | join('-?') ~ '-?([0-9A-Fa-f]{12})' -%}
    {%- set guid = '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?' ~ digits ~ '[}]?$' -%}
    case
        when length({{ key }}) = 36 and {{ key }} = lower({{ key }}) then {{ key }}
        when {{ matches(key, guid) }} then lower({{ groups_of(key, guid, [2, 3, 4, 5, 6], '-') }})
        else {{ key }}
    end
{%- endmacro %}

{# A key to group by and to count, which is never shown: in DuckDB a digest of sixteen bytes, as text
of that length and more fills the memory where there are millions. #}
{% macro compact(key) -%}
    {{- adapter.dispatch('compact', 'wholesale')(key) -}}
{%- endmacro %}

{% macro default__compact(key) -%}
    {{- key -}}
{%- endmacro %}

{% macro duckdb__compact(key) -%}
    md5_number({{ key }})
{%- endmacro %}

{# Whether a line names what the row of `int_products_sold` is named by: item, sku and variant id,
any of which may not be there. Only DuckDB joins quickly by what may be null, and saves the digest. #}
{% macro is_named(line, product) -%}
    {{- adapter.dispatch('is_named', 'wholesale')(line, product) -}}
{%- endmacro %}

{% macro default__is_named(line, product) -%}
    {{ key_of([line ~ '.item_id', line ~ '.sku', line ~ '.variant_id']) }} = {{ product }}.line_product_id
{%- endmacro %}

{% macro duckdb__is_named(line, product) -%}
    {%- for name in ['item_id', 'sku', 'variant_id'] %}
    ({{ line }}.{{ name }} is not distinct from {{ product }}.{{ name }}) {{- ' and' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
