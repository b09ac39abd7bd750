{# What a call sheet tells of a buyer: its habits of so many days up to the day as of which figures are. #}
{% macro days_of_habits() -%}
    365
{%- endmacro %}

{# What a buyer took on fewer days is no habit of it. #}
{% macro fewest_takings() -%}
    3
{%- endmacro %}

{# What was not in so many of its last orders, it left out. #}
{% macro orders_of_lately() -%}
    3
{%- endmacro %}

{# Buyers are alike from so many products on that both take; so many of them are asked, and fewer than
that tell nothing. #}
{% macro fewest_shared_products() -%}
    3
{%- endmacro %}

{% macro most_like_buyers() -%}
    10
{%- endmacro %}

{% macro fewest_like_buyers() -%}
    5
{%- endmacro %}

{# What so many buyers like it take, and one of so many of them at least, is worth a word. #}
{% macro fewest_taking_buyers() -%}
    3
{%- endmacro %}

{# So many products of each list are told. #}
{% macro most_usual_products() -%}
    8
{%- endmacro %}

{% macro most_suggested_products() -%}
    5
{%- endmacro %}
