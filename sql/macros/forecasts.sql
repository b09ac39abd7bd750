{# How the next order of a buyer is told: in which windows, of whom, and from which orders before.
#}

{# The shares of the windows, in percent: a window of 80 is right eight times in ten. #}
{% macro window_shares() -%}
    {{- return([50, 80, 90]) -}}
{%- endmacro %}

{# A window begins where none, a third, two thirds or all of those had ordered that it leaves out:
where it was the shortest in the mean of so many months. #}
{% macro months_of_places() -%}
    {{- return(12) -}}
{%- endmacro %}

{% macro thirds_before(ordered_millionths, share) -%}
    floor(3.0 * {{ ordered_millionths }} / {{ 10000 * (100 - share) }})
{%- endmacro %}

{# Buyers are alike that have ordered about as often. The key sorts as the number does. #}
{% macro age_of_buyer(purchase_number) -%}
    case
        when {{ purchase_number }} = 1 then '1'
        when {{ purchase_number }} = 2 then '2'
        when {{ purchase_number }} < 6 then '3-5'
        when {{ purchase_number }} < 12 then '6-11'
        when {{ purchase_number }} < 30 then '12-29'
        else '30+'
    end
{%- endmacro %}

{# A window is shown from this purchase on: with fewer they were wrong too often, as the record
tells. #}
{% macro fewest_shown_purchases() -%}
    6
{%- endmacro %}

{# A buyer's own gaps count beside so many that are as long as those of all. #}
{% macro gaps_of_all() -%}
    3
{%- endmacro %}

{# Buyers alike are asked of so many days before, or of so many usual gaps where these are longer;
and fewer orders of theirs than that tell nothing. #}
{% macro fewest_asked_days() -%}
    120
{%- endmacro %}

{% macro asked_gaps() -%}
    3
{%- endmacro %}

{% macro fewest_orders_alike() -%}
    30
{%- endmacro %}

{# Of these days the latest tell how long buyers alike wait now: so many, or so many usual gaps where
these are longer, and back to the day of so many purchases that were followed by another. #}
{% macro latest_days() -%}
    30
{%- endmacro %}

{% macro latest_gaps() -%}
    1.5
{%- endmacro %}

{% macro latest_purchases() -%}
    60
{%- endmacro %}

{# A window of 80 is held back where the last ones were right less often than that, in percent; of
a buyer so many are asked, of all buyers so many. #}
{% macro fewest_right() -%}
    70
{%- endmacro %}

{% macro judged_of_buyer() -%}
    10
{%- endmacro %}

{% macro judged_of_all() -%}
    200
{%- endmacro %}

{# An amount that is such a share of another, in cents. A share of a million and more, which odd
amounts make, is none (`is_share`), so that no product has more digits than a decimal. #}
{% macro share_of(share, amount) -%}
    cast(
        round(cast({{ share }} as decimal(18, 6)) * cast({{ amount }} as decimal(22, 2)), 2)
        as decimal(38, 9)
    )
{%- endmacro %}

{% macro is_share(part, whole) -%}
    ({{ whole }} > 0 and abs({{ part }}) < 1000000 * {{ whole }})
{%- endmacro %}

{# An amount; NULL where there were sales, and none of them tells its own. #}
{% macro if_told(amount, sale_count, told_count) -%}
    case when {{ sale_count }} = 0 or {{ told_count }} > 0 then {{ amount }} end
{%- endmacro %}

{# What was sold after one day up to another. Before its first sale a member has no day. #}
{% macro sold_between(earlier, later) -%}
    {{- if_told(
        later ~ '.amount_so_far - coalesce(' ~ earlier ~ '.amount_so_far, 0)',
        later ~ '.sale_count - coalesce(' ~ earlier ~ '.sale_count, 0)',
        later ~ '.told_count - coalesce(' ~ earlier ~ '.told_count, 0)'
    ) -}}
{%- endmacro %}

{# Who orders within the next seven days with so many percent is due. #}
{% macro due_percent() -%}
    50
{%- endmacro %}

{# So many weeks before tell what comes; fewer than that tell nothing. #}
{% macro compared_weeks() -%}
    {{- return(52) -}}
{%- endmacro %}

{% macro fewest_compared_weeks() -%}
    26
{%- endmacro %}

{# What comes is told in shares of so many weeks before it. #}
{% macro base_weeks() -%}
    {{- return(12) -}}
{%- endmacro %}
