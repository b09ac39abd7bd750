{# An order with more products is compared with none: its pairs grow with their square, and of what is
ordered in such number each goes with each. #}
{% macro most_products_of_a_basket() -%}
    100
{%- endmacro %}

{# With so many others a product is told, those with which it is on most orders. #}
{% macro most_pairs_of_a_product() -%}
    20
{%- endmacro %}
