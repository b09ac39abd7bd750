{# What a build is made from, for those who run the compiled SQL without dbt. #}
{{ inputs('current_timestamp') }}
