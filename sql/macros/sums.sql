{# The sum of an amount of groups of which each has a number of rows: 0 of no rows, and NULL where none
of the rows tells it. The parts of a sum are added up in the same way as rows are. #}
{% macro known_sum(amount, row_count, over='') -%}
    case
        when sum({{ row_count }}){{ over }} > 0
            then sum(case when {{ row_count }} > 0 then {{ amount }} end){{ over }}
        else 0
    end
{%- endmacro %}
