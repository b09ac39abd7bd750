{# Terms of payment: what vendors write into `order_terms` (§2.7), and after how many days it asks
for the money. #}

{# Terms as the settings have them. #}
{% macro terms_key(column) -%}
    {{- sku_key(column) -}}
{%- endmacro %}

{# The days of terms that say them: `Net 30`, `30 days`, `2/10, n/30`, `due on receipt`; else NULL. #}
{% macro days_in_terms(column) -%}
    {%- set words = small_words(column) -%}
    {%- set before = '^ *((payment *)?terms? *[-:]? *)?' -%}
    {%- set discount = '([0-9]{1,2}([.][0-9]+)? *(% */|%|/) *[0-9]{1,3}( *days?)? *[-,;:/]? *)?' -%}
    {%- set after = ' *[.]? *$' -%}
    {%- set of_invoice = '( *(from|after|of) *(the *)?(date *of *(the *)?)?invoice *(date)?)?' -%}
    {%- set net = before ~ discount ~ '(net|n) *[-:/.]? *([0-9]{1,3}) *(days?|d)?' ~ of_invoice ~ after -%}
    {%- set days = before ~ '((payment *)?(due *)?(with)?in *)?([0-9]{1,3}) *-? *(days?|d) *(net)?'
        ~ of_invoice ~ after -%}
    {%- set receipt = before ~ '(payment *)?(is *)?(due *|payable *)?(up)?on *receipt'
        ~ '( *of *(the *)?invoice)?' ~ after -%}
    case
        when {{ matches(words, net) }} then cast({{ groups_of(words, net, [8], '') }} as bigint)
        when {{ matches(words, days) }} then cast({{ groups_of(words, days, [7], '') }} as bigint)
        when {{ matches(words, receipt) }} then cast(0 as bigint)
    end
{%- endmacro %}

{# Days past the due day, in ranges. #}
{% macro due_bucket(days) -%}
    case
        when {{ days }} is null then 'unknown'
        when {{ days }} <= 0 then 'not due'
        when {{ days }} <= 30 then '1-30'
        else {{ age_bucket(days) }}
    end
{%- endmacro %}

{# Whether what is owed should have been paid: the due day is past, or where it is not known, it was
ordered more than `overdue_days` ago. #}
{% macro is_overdue(days_past_due, age_in_days) -%}
    coalesce({{ days_past_due }} > 0, {{ age_in_days }} > {{ setting('overdue_days') }}, false)
{%- endmacro %}

{# What orders come to that are owed, those of them that are overdue, and those of which it is not known
whether they are paid. Where none is known to be owed, but some may be, nothing is known of it. #}
{% macro receivable_sums() -%}
    {{ open_sums() }},
    count(case when is_overdue then 1 end) as overdue_order_count,
    case
        when count(case when is_overdue then 1 end) > 0
            then sum(case when is_overdue then total end)
        when count(case when is_open then 1 end) > 0 or count(*) = 0 then 0
    end as overdue_amount,
    min(case when is_open then due_date end) as first_due_date
{%- endmacro %}
