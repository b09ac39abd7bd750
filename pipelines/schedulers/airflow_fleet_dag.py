"""Airflow: a mapped task an account, skipped where its data are not certified complete."""

import os
import tomllib
from datetime import datetime, timedelta
from pathlib import Path

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, task

INCOMPLETE = 3
FOLDER = Path(os.environ.get("WHOLESALE_FOLDER", "/srv/wholesale"))


@task
def accounts() -> list[dict[str, str]]:
    """What the task of each account finds in its environment."""
    fleet = tomllib.loads((FOLDER / "accounts.toml").read_text("utf-8"))
    return [{"ACCOUNT": name} for name in fleet["accounts"]]


with DAG(
    "wholesale_fleet",
    schedule="15 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    max_active_tasks=4,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=10)},
) as dag:
    BashOperator.partial(
        task_id="run",
        map_index_template="{{ task.env['ACCOUNT'] }}",
        bash_command="wholesale run --account $ACCOUNT --quiet",
        append_env=True,
        cwd=str(FOLDER),
        skip_on_exit_code=INCOMPLETE,
    ).expand(env=accounts())
