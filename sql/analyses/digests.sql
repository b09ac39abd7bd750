{# A digest of all rows of each raw table. A lake needs no query for it: it has its own digests. #}

{% for source in (graph.sources.values() if execute else []) -%}
select
    '{{ source.name }}' as input_name,
    count(*) || ' ' || coalesce(sum({{ row_hash('record') }}), 0) as digest
from declared_{{ source.name }} as record
{% if not loop.last %}union all
{% endif -%}
{% endfor %}
