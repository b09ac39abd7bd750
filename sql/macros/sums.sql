{# The sum of an amount over groups that have a number of rows each: 0 of no rows, and NULL where none
of the rows tells it. The parts of a sum are added up in the same way as rows are. #}
{% macro known_sum(amount, row_count, over='') -%}
    case
        when sum({{ row_count }}){{ over }} > 0
            then sum(case when {{ row_count }} > 0 then {{ amount }} end){{ over }}
        else 0
    end
{%- endmacro %}
