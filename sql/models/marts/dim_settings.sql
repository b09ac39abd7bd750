select
    '{{ var("currency") }}' as currency,
    '{{ var("time_zone") }}' as time_zone,
    '{{ build_key() }}' as build_key
