"""Goals come from a file, and are as far as figures are; without a file there are none."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from support.warehouses.edits import without_pages
from support.warehouses.marts import Marts
from wholesale.errors import ConfigurationError
from wholesale_elt.cli.main import cli
from wholesale_elt.models.own.goals import GOAL_METRICS, Goal, goals_of, read_goals
from wholesale_elt.models.project import project_folder
from wholesale_elt.monitoring.rules import Rule, broken_rules
from wholesale_elt.publish.publisher import publish_marts

HEADING = "month,metric,target,vendor,manager"


def written(folder: Path, *lines: str) -> str:
    path = folder / "goals.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def test_a_file_says_what_is_to_be_reached(tmp_path: Path) -> None:
    vendor = "0E3F42C3-3EF9-4E8E-8F8B-5D0C5B7A1D11"
    file = written(
        tmp_path,
        "\ufeffMonth, metric,target,vendor,manager",
        "2026-07,sales,480000.50,,",
        "",
        f" 2026-07 ,orders,12,{vendor},",
        '2026-08,sales,7,"Umber, Clay",m1',
    )
    assert read_goals(file) == [
        Goal(date(2026, 7, 1), "sales", None, None, Decimal("480000.50")),
        Goal(date(2026, 7, 1), "orders", vendor.lower(), None, Decimal(12)),
        Goal(date(2026, 8, 1), "sales", "Umber, Clay", "m1", Decimal(7)),
    ]
    short = written(tmp_path, "metric,target,month", "sales,1,2026-07")
    assert [goal.target for goal in read_goals(short)] == [Decimal(1)]
    assert read_goals(None) == []


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ((), "the columns are month, metric, target"),
        (("month,metric",), "the columns are month, metric, target"),
        ((f"{HEADING},colour",), "the columns are month, metric, target"),
        ((f"{HEADING},month",), "the columns are month, metric, target"),
        ((HEADING, "2026-7,sales,1,,"), "line 2: '2026-7' is no month"),
        ((HEADING, "2026-13,sales,1,,"), "line 2: '2026-13' is no month"),
        ((HEADING, "2026-07,salez,1,,"), "did you mean sales"),
        ((HEADING, "2026-07,weather,1,,"), "'weather' is no metric"),
        ((HEADING, "2026-07,average_order_value,1,,"), "no metric that a goal can be of"),
        ((HEADING, "2026-07,sales,,,"), "line 2: '' is no target"),
        ((HEADING, "2026-07,sales,0,,"), "'0' is no target"),
        ((HEADING, "2026-07,sales,-5,,"), "'-5' is no target"),
        ((HEADING, "2026-07,sales,1e5,,"), "'1e5' is no target"),
        ((HEADING, '2026-07,sales,"480,000",,'), "'480,000' is no target"),
        ((HEADING, "2026-07,sales,NaN,,"), "'NaN' is no target"),
        ((HEADING, "2026-07,sales,1"), "line 2: there are 3 cells, and 5 columns"),
        ((HEADING, "2026-07,sales,1,,", "2026-07,sales,2,,"), "line 3: line 2 has a goal"),
        ((HEADING, '2026-07,"sales,1,,'), "no CSV"),
    ],
)
def test_a_file_that_cannot_be_right_is_refused_in_one_line(
    tmp_path: Path, lines: tuple[str, ...], told: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_goals(written(tmp_path, *lines))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="setting build\\.goals"):
        read_goals(str(tmp_path / "none.csv"))


def test_a_part_has_the_goals_of_that_part_alone(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        HEADING,
        "2026-07,sales,1,,",
        "2026-07,sales,2,v1,",
        "2026-07,sales,3,,m1",
        "2026-07,sales,4,v1,m1",
        "2026-07,sales,5,,m2",
    )

    def targets(kind: str, *keys: str) -> list[int]:
        with goals_of(kind, keys):
            return [int(goal.target) for goal in read_goals(file) if goal.is_of_part]

    assert targets("vendor", "v1") == [2]
    assert targets("manager", "m1") == [3]
    assert targets("buyer", "b1") == []
    assert len(read_goals(file)) == 5


def test_the_report_counts_what_a_goal_can_be_of() -> None:
    sql = (project_folder() / "models/bi/rpt_goals.sql").read_text("utf-8")
    [listed] = [part.split("]")[0] for part in sql.split("metrics = [")[1:]]
    assert tuple(json.loads(f"[{listed}]".replace("'", '"'))) == GOAL_METRICS


@dataclass(frozen=True)
class World:
    marts: Marts
    published: Path
    month: str
    vendor: str


def run(world: World, *words: str) -> Any:
    done = CliRunner().invoke(cli, [*words, "--json", "--published", str(world.published)])
    assert done.exit_code in (0, 3), done.output
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def world(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Published with goals of the month of the last day."""
    folder = tmp_path_factory.mktemp("goals")
    marts = loaded.copy(folder)
    marts.build()
    [(month,)] = marts.rows(
        "select strftime(figures_up_to, '%Y-%m') from wholesale_marts.dim_as_of"
    )
    [(vendor, name)] = marts.rows(
        "select vendor_id, display_name from wholesale_marts.dim_vendors inner join"
        " wholesale_marts.dim_names on name_kind = 'vendor' and name_key = vendor_id"
        " qualify count(*) over (partition by display_name) = 1 order by all limit 1"
    )
    file = written(
        folder,
        HEADING,
        *(f"{month},{metric},1000,," for metric in GOAL_METRICS),
        f"{month},sales,50,{name},",
        f"{month},sales,50,nowhere,",
    )
    with pytest.MonkeyPatch.context() as patch, without_pages():
        patch.setenv("BUILD__GOALS", file)
        marts.build()
        published = folder / "published"
        publish_marts(marts.warehouse, str(published))
        yield World(marts, published, month, vendor)


@pytest.mark.slow
def test_a_goal_is_as_far_as_figures_are(world: World) -> None:
    for metric in GOAL_METRICS:
        found = run(world, "figures", metric, "--period", world.month)
        [goal] = found["goals"]
        assert (goal["metric"], goal["target"]) == (metric, "1000")
        assert Decimal(goal["so_far"]) == Decimal(found["total"][metric])
    of_vendor = ("--where", f"vendor={world.vendor}")
    found = run(world, "figures", "sales", "--period", "this_month", *of_vendor)
    [goal] = found["goals"]
    assert goal["target"] == "50"
    assert Decimal(goal["so_far"]) == Decimal(found["total"]["sales"])
    assert "goals" not in run(world, "figures", "sales")
    assert "goals" not in run(world, "figures", "sales", "--period", "2025")
    [(so_far, pace)] = world.marts.rows(
        "select so_far, pace_rate from wholesale_bi.rpt_goals where vendor_name = 'nowhere'"
    )
    assert (so_far, pace) == (None, None)


@pytest.mark.slow
def test_a_rule_tells_of_a_goal_that_is_behind(world: World) -> None:
    rules = [
        Rule(goal="sales", above=Decimal(0)),
        Rule(goal="sales", below=Decimal(0)),
        Rule(goal="returns", below=Decimal(1)),
    ]
    first, other = broken_rules(world.published, rules)
    assert first.message.startswith("it is ")
    assert other.message.startswith("cannot be answered: there is no such goal")


@pytest.mark.slow
def test_another_goal_is_built_again_and_none_without_a_file(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marts = world.marts.copy(tmp_path / "again")
    assert marts.build().models == 0
    monkeypatch.setenv("BUILD__GOALS", written(tmp_path, HEADING, "2026-01,sales,9,,"))
    assert marts.build().models > 0
    assert marts.rows("select target from wholesale_bi.rpt_goals") == [(Decimal(9),)]
    monkeypatch.delenv("BUILD__GOALS")
    marts.build()
    assert marts.rows("from wholesale_marts.fct_goals") == []
