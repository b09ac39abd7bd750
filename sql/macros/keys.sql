{# A key of several values, none of which has to be free of any character: each goes in with its
length, so that no two lists of values are the same text. NULL and '' are two values. #}
{% macro key_of(values) -%}
    md5(
        {%- for value in values %}
        coalesce(length({{ value }}) || ':' || {{ value }}, 'null') {{- " || ',' ||" if not loop.last }}
        {%- endfor %}
    )
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
