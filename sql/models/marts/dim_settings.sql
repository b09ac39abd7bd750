select
    {{ text(var('currency')) }} as currency,
    {{ text(var('time_zone')) }} as time_zone,
    '{{ build_key() }}' as build_key
