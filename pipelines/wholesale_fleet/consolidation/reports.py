"""Reports: the tables of `fleet.duckdb`: rows by account, and sums where they have a meaning.

Money is added up only within one `settings_id`: one known currency, one time zone, the same
settings of the models. Tables by account are read from the accounts whose version changed; the rows
of others are taken from the last version.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict

import duckdb
import pyarrow as pa

from wholesale_elt.figures import NO_CURRENCY
from wholesale_elt.warehouse import quoted
from wholesale_fleet.consolidation.manifest import AccountVersion
from wholesale_fleet.consolidation.member import Columns, Member
from wholesale_fleet.consolidation.tables import INCLUDED_TABLES, OF_A_DAY, OF_ALL_TIME, SETTINGS

COUNT, AMOUNT = "bigint", "decimal(38, 9)"
TYPES: Mapping[str, str] = {
    **SETTINGS,
    **{name: COUNT if name.endswith("_count") else AMOUNT for name in (*OF_ALL_TIME, *OF_A_DAY)},
    **dict.fromkeys(("settings_id", "account_id"), "text"),
    **dict.fromkeys(("as_of_date", "last_ordered_date", "date_day"), "date"),
}
MEANING = ("settings_id", "currency", "time_zone")
BY_ACCOUNT: Mapping[str, Sequence[str]] = {
    "fleet_settings": ("account_id", "settings_id", *SETTINGS),
    "fleet_account_sales": (
        *("account_id", *MEANING, "as_of_date", "last_ordered_date"),
        *OF_ALL_TIME,
    ),
    "fleet_account_daily_sales": ("account_id", *MEANING, "date_day", *OF_A_DAY),
}
ACCOUNTS = """
    create table fleet.wholesale_bi.fleet_accounts (
        account_id text, version text, verdict text, as_of timestamptz, published_at timestamptz,
        reason text, is_counted boolean, status text, status_as_of timestamptz, trouble text,
        every_hours double
    )
"""
COLUMNS = """
    create table fleet.wholesale_bi.fleet_columns (
        account_id text, table_name text, column_name text, data_type text, is_absent boolean
    )
"""
ABSENT = """
    insert into fleet.wholesale_bi.fleet_columns
    select accounts.account_id, known.table_name, known.column_name, known.data_type, true
    from (select distinct account_id from fleet.wholesale_bi.fleet_columns) as accounts
    cross join (
        select distinct table_name, column_name, data_type from fleet.wholesale_bi.fleet_columns
    ) as known
    anti join fleet.wholesale_bi.fleet_columns as own
        on accounts.account_id = own.account_id
        and known.table_name = own.table_name
        and known.column_name = own.column_name
"""
REMARKS: Mapping[str, str] = {
    "fleet_accounts": "Each account: its version with verdict and moment, and its present state. If"
    " is_counted, its numbers are in the other tables.",
    "fleet_columns": "The columns of the files of each account, NULL where is_absent.",
    "fleet_settings": "The settings of each account; accounts that differ in any have another"
    " settings_id.",
    "fleet_account_sales": "What each account sold, as its rpt_headlines has it.",
    "fleet_account_daily_sales": "What each account sold by day, of all its vendors.",
    "fleet_sales": "What was sold in all, one row for each settings_id.",
    "fleet_daily_sales": "What was sold by day, one row for each settings_id and day; account_count"
    " tells how many accounts have that day.",
}


def write_reports(
    connection: duckdb.DuckDBPyConnection,
    accounts: Iterable[AccountVersion],
    members: Mapping[Member, Columns],
    taken_over: Collection[str],
    version: str,
) -> None:
    """Fill the attached, empty `fleet`.

    `members` are the accounts that count; rows of those `taken_over` come from `last`, which is
    attached then.
    """
    connection.execute("create schema fleet.wholesale_bi; create schema fleet.wholesale_marts")
    connection.execute(ACCOUNTS + ";" + COLUMNS)
    _insert(connection, "fleet_accounts", [asdict(entry) for entry in accounts])
    present = [
        {"account_id": member.account_id, "table_name": table, "column_name": name}
        | {"data_type": type_, "is_absent": False}
        for member, columns in members.items()
        for table, types in columns.items()
        for name, type_ in types.items()
    ]
    _insert(connection, "fleet_columns", present)
    connection.execute(ABSENT)
    for table, names in BY_ACCOUNT.items():
        typed = ", ".join(f"{name} {TYPES[name]}" for name in names)
        connection.execute(f"create table fleet.wholesale_bi.{table} ({typed})")
        if taken_over:
            connection.execute(
                f"insert into fleet.wholesale_bi.{table} by name from last.wholesale_bi.{table}"
                " where list_contains(?, account_id)",
                [list(taken_over)],
            )
    for member, columns in members.items():
        if member.account_id not in taken_over:
            _write_account(connection, member, columns)
    _sum_up(connection)
    for table, remark in REMARKS.items():
        connection.execute(f"comment on table fleet.wholesale_bi.{table} is '{remark}'")
    for taken in INCLUDED_TABLES.values():
        connection.execute(
            f"create macro fleet.{taken.schema}.{taken.name}(folder) as table from read_parquet("
            f"regexp_replace(folder, '([[*?])', '[\\1]', 'g')"  # no part of the pattern behind it
            f" || '/versions/{version}/parquet/{taken.schema}/{taken.name}/*/*.parquet',"
            " hive_partitioning => true, hive_types_autocast => false, union_by_name => true)"
        )


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, object]]
) -> None:
    """Insert all rows at once: DuckDB takes a millisecond for each single one."""
    if rows:
        connection.register("told", pa.Table.from_pylist(rows))
        connection.execute(f"insert into fleet.wholesale_bi.{table} by name from told")
        connection.unregister("told")


def known_columns(connection: duckdb.DuckDBPyConnection) -> Mapping[str, Columns]:
    """The entries of `last` on the files of each account."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for account_id, table, name, type_ in connection.execute(
        "select account_id, table_name, column_name, data_type from last.wholesale_bi.fleet_columns"
        " where not is_absent"
    ).fetchall():
        found.setdefault(account_id, {}).setdefault(table, {})[name] = type_
    return found


def _write_account(connection: duckdb.DuckDBPyConnection, member: Member, columns: Columns) -> None:
    """The rows of one account, from its files; columns that its release lacks are NULL."""

    def source(key: str) -> str:
        path = quoted(member.path(member.tables[key]))
        return f"read_parquet({path}, hive_partitioning => false)"

    known = columns["wholesale_marts.dim_settings"]
    settings = {
        name: f"cast({name if name in known else 'null'} as {type_})"
        for name, type_ in SETTINGS.items()
    }
    own = f"'{member.account_id}'"
    # Amounts of an account without a currency mean the same as those of no other.
    alone = f"if({settings['currency']} = '{NO_CURRENCY}', {own}, '')"
    texts = ", ".join(
        [*(f"coalesce(cast({value} as text), '')" for value in settings.values()), alone]
    )
    meaning = ", ".join(f"settings.{name}" for name in MEANING)
    with_settings = (
        f"cross join (from fleet.wholesale_bi.fleet_settings where account_id = {own}) as settings"
    )
    connection.execute(
        f"insert into fleet.wholesale_bi.fleet_settings select {own}, left(md5(concat_ws('|',"
        f" {texts})), 12),"
        f" {', '.join(settings.values())} from {source('wholesale_marts.dim_settings')}"
    )
    connection.execute(
        f"insert into fleet.wholesale_bi.fleet_account_sales select {own}, {meaning}, as_of_date,"
        f" last_ordered_date, {', '.join(OF_ALL_TIME)}"
        f" from {source('wholesale_bi.rpt_headlines')} as headlines {with_settings}"
    )
    connection.execute(
        f"insert into fleet.wholesale_bi.fleet_account_daily_sales select {own}, {meaning},"
        " date_day,"
        f" {_sums(OF_A_DAY)} from {source('wholesale_bi.rpt_daily_sales')} as daily {with_settings}"
        " group by all order by date_day"
    )


def _sum_up(connection: duckdb.DuckDBPyConnection) -> None:
    meaning = ", ".join(f"sales.{name}" for name in MEANING)
    connection.execute(
        f"create table fleet.wholesale_bi.fleet_sales as select {meaning}, count(*) as"
        " account_count,"
        " case when bool_and(verdict = 'complete') then 'complete' else 'incomplete' end"
        " as verdict,"
        " case when count(as_of) = count(*) then min(as_of) end as as_of,"
        f" {_sums(OF_ALL_TIME)} from fleet.wholesale_bi.fleet_account_sales as sales"
        " inner join fleet.wholesale_bi.fleet_accounts using (account_id) group by all order by all"
    )
    connection.execute(
        f"create table fleet.wholesale_bi.fleet_daily_sales as select {meaning}, date_day,"
        f" count(*) as account_count, {_sums(OF_A_DAY)}"
        " from fleet.wholesale_bi.fleet_account_daily_sales as sales group by all order by all"
    )


def _sums(names: Sequence[str]) -> str:
    return ", ".join(f"cast(sum({name}) as {TYPES[name]}) as {name}" for name in names)
