"""The rooms of the house: their order, their doors, and what each may know."""

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from support.paths import ROOT

PLUGINS = (
    *("wholesale_agents", "wholesale_books", "wholesale_buckets", "wholesale_erasure"),
    "wholesale_fleet",
    *("wholesale_formats", "wholesale_lake", "wholesale_letters", "wholesale_lineage"),
    *("wholesale_next", "wholesale_spreadsheets"),
)
"""Packages that the core finds by their entry points, and never imports."""
HOUSE = {
    "wholesale": ROOT / "sources",
    "wholesale_sandbox": ROOT / "sources",
    "wholesale_elt": ROOT / "pipelines",
    **dict.fromkeys(PLUGINS, ROOT / "pipelines"),
}
ORDER: Mapping[str, Sequence[Sequence[str]]] = {
    "wholesale": (
        ("lazy", "names"),
        ("errors", "api"),
        ("stored_columns",),
        ("settings",),
        ("http",),
        ("json",),
        ("pages",),
        ("tables",),
        ("privacy",),
        ("compare",),
        ("expect",),
        ("discover",),
        ("prove",),
        ("sync",),
        ("credentials",),
        ("places",),
        ("dlt_hints", "configuration", "pulling"),
        ("dlt_resource",),
        ("source",),
    ),
    "wholesale_sandbox": (
        ("contract", "values"),
        ("responses", "storage", "world"),
        ("business",),
        ("faults",),
        ("settings",),
        ("origin",),
        ("routes",),
        ("service",),
        ("server",),
    ),
    "wholesale_elt": (
        ("places", "process", "trial"),
        ("warehouse",),
        ("runs",),
        ("past",),
        ("load", "models", "inspect"),
        ("figures", "paper", "pictures"),
        ("causes",),
        ("dashboard",),
        ("publish",),
        ("differences",),
        ("verification",),
        ("answers",),
        ("monitoring",),
        ("cli",),
    ),
    "wholesale_agents": (
        ("app", "settings", "version", "bounds"),
        ("following",),
        ("guides", "metrics", "sql"),
        ("sql_process",),
        ("questions",),
        ("tools",),
        ("server",),
        ("over_http",),
        ("commands",),
    ),
    "wholesale_erasure": (
        ("subject",),
        ("mentions",),
        ("receipt",),
        ("erasing",),
        ("documents",),
        ("commands",),
    ),
    "wholesale_fleet": (
        ("hosts", "shards", "consolidation"),
        ("accounts",),
        ("cadence", "children"),
        ("standing",),
        ("publishing", "schedule", "summary"),
        ("output", "rounds"),
        ("commands",),
    ),
    "wholesale_buckets": (("bucket",),),
    "wholesale_formats": (
        ("stars",),
        ("writing",),
        ("cube", "dbt_project", "evidence", "metabase", "ossie", "rill"),
        ("commands",),
    ),
    "wholesale_lake": (
        ("iceberg",),
        ("lake_copy", "months", "sail"),
        ("lake_snapshots",),
        ("built_tables", "session"),
        ("lake_tables",),
        ("ducklake", "lake", "publication", "served"),
        ("engine",),
    ),
    "wholesale_books": (
        ("book", "closed_file", "counting", "settings"),
        ("months",),
        ("certifying",),
        ("closing", "telling", "verifying"),
        ("handover", "journals", "statements"),
        ("commands",),
    ),
    "wholesale_letters": (
        ("journal", "moments", "settings"),
        ("sections",),
        ("letter",),
        ("html", "paper", "text"),
        ("editions", "mail"),
        ("sending",),
        ("commands",),
    ),
    "wholesale_lineage": (("contract", "datasets", "settings"), ("openlineage", "telemetry")),
    "wholesale_next": (("tables",), ("claims",), ("publication",)),
    "wholesale_spreadsheets": (
        ("columns", "settings"),
        ("as_of", "sheets"),
        ("workbook",),
        ("additions",),
    ),
}
"""Rooms in the order in which data flow; those of one step know nothing of each other."""

WITHIN: Mapping[str, frozenset[str]] = {
    "wholesale.sync.children": frozenset(
        {"changes", "doubts", "full_records", "reading", "singles"}
    ),
    "wholesale_books.handover.batches": frozenset({"settings"}),
    "wholesale_books.handover.places": frozenset({"batches", "receiver"}),
    "wholesale_elt.cli.asking": frozenset({"boundary", "options", "output"}),
    "wholesale_elt.cli.output": frozenset(),
    "wholesale_elt.dashboard.contents": frozenset(
        {"columnar", "facts", "fulfilment", "news", "pages", "scripts", "tasks"}
    ),
    "wholesale_elt.dashboard.facts": frozenset({"columnar", "scripts"}),
    "wholesale_elt.dashboard.sentences": frozenset({"columnar", "entry", "news", "tasks"}),
    "wholesale_elt.dashboard.search": frozenset({"columnar", "scripts"}),
    "wholesale_elt.load.copies": frozenset({"observations", "writer"}),
    "wholesale_elt.load.privacy": frozenset({"observations"}),
    "wholesale_elt.models.own": frozenset({"findings", "project", "rendering", "settings"}),
    "wholesale_elt.models.rendering": frozenset({"project"}),
    "wholesale_elt.publish.comparison": frozenset({"description", "manifest", "store", "tables"}),
    "wholesale_elt.publish.description": frozenset({"manifest", "tables"}),
    "wholesale_elt.warehouse.ports": frozenset({"dialect", "names", "port", "raw", "raw_reader"}),
    "wholesale_elt.publish.tables": frozenset({"manifest", "places", "store"}),
    "wholesale_sandbox.faults.responses": frozenset({"fault"}),
    "wholesale_sandbox.faults.lists": frozenset({"fault"}),
    "wholesale_sandbox.faults.records": frozenset({"fault"}),
}
"""Rooms within a room, and what of it stands before them; nothing else there they know of."""

MODULES_A_FOLDER = 12


@dataclass(frozen=True)
class Import:
    """One import: the module that is named, what of it, and when it happens."""

    module: str
    name: str | None
    is_lazy: bool = False
    is_for_types: bool = False


def imports_of(
    tree: ast.AST, is_lazy: bool = False, is_for_types: bool = False
) -> Iterator[Import]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):  # holds no import
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, None, is_lazy, is_for_types)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "the house imports by full names"
            assert node.module is not None
            for alias in node.names:
                yield Import(node.module, alias.name, is_lazy, is_for_types)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports_of(node, is_lazy, True)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports_of(node, True, is_for_types)
        else:
            yield from imports_of(node, is_lazy, is_for_types)


def modules_below(house: Mapping[str, Path]) -> dict[str, Path]:
    found = {}
    for package, folder in house.items():
        for path in sorted((folder / package).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules_below(HOUSE)
ROOMS = sorted(
    name for name, path in MODULES.items() if path.name == "__init__.py" and name not in HOUSE
)
DESCRIBED = sorted([*ROOMS, *PLUGINS])


@cache
def imports() -> Mapping[str, frozenset[Import]]:
    """What each module imports; read once, by the worker that runs these tests."""
    return {
        name: frozenset(imports_of(ast.parse(path.read_text()))) for name, path in MODULES.items()
    }


def top(name: str) -> str:
    return name.partition(".")[0]


def place(name: str) -> tuple[str, str] | None:
    """The package of a module and its room there; None for the package itself."""
    package, _, rest = name.partition(".")
    return (package, rest.partition(".")[0]) if rest else None


def step(package: str, room: str) -> int:
    return next(number for number, rooms in enumerate(ORDER[package]) if room in rooms)


def upward(name: str, imports: frozenset[Import]) -> list[str]:
    """What a module imports from rooms that do not stand before its own."""
    own = place(name)
    if own is None:
        return []
    found = []
    for used in imports:
        other = place(used.module) if top(used.module) in HOUSE else None
        if other and other[0] == own[0] and other[1] != own[1] and step(*other) >= step(*own):
            found.append(f"{name} imports {used.module}")
    return found


def past_the_door(name: str, imports: frozenset[Import]) -> list[str]:
    """What a module imports of another room that the room does not offer in its `__all__`."""
    own = place(name)
    found = []
    for used in imports:
        other = place(used.module) if top(used.module) in HOUSE else None
        if other is None or other == own or own is None:
            continue
        room = ".".join(other)
        is_room = room in ROOMS
        if is_room and (used.module != room or used.name not in offered(room)):
            found.append(f"{name} imports {used.module}.{used.name}")
    return found


def reaching_back(name: str, imports: frozenset[Import]) -> list[str]:
    """What a module of a room within a room imports from what does not stand before it there."""
    inner = next((room for room in WITHIN if f"{name}.".startswith(f"{room}.")), None)
    if inner is None:
        return []
    outer = inner.rpartition(".")[0]
    before = {inner} | {f"{outer}.{module}" for module in WITHIN[inner]}
    return [
        f"{name} imports {used.module}"
        for used in imports
        if used.module == outer or used.module.startswith(f"{outer}.")
        if not any(f"{used.module}.".startswith(f"{module}.") for module in before)
    ]


def offered(room: str) -> list[str]:
    """The `__all__` of a room."""
    for node in ast.parse(MODULES[room].read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    return []


def importers_of(library: str) -> set[str]:
    return {name for name, used in imports().items() if any(top(i.module) == library for i in used)}


def rooms_of(modules: set[str]) -> set[str]:
    return {".".join(name.split(".")[:2]) for name in modules}


@pytest.mark.parametrize("package", HOUSE)
def test_every_room_has_its_place_in_the_order(package: str) -> None:
    rooms = {found[1] for name in MODULES if (found := place(name)) and found[0] == package}

    assert rooms == {room for rooms in ORDER[package] for room in rooms}


def test_a_module_imports_only_from_rooms_before_its_own_and_through_their_doors() -> None:
    for find in (upward, past_the_door):
        assert [wrong for name, used in imports().items() for wrong in find(name, used)] == []


def test_a_room_within_a_room_has_its_place_there() -> None:
    assert set(WITHIN) == {room for room in ROOMS if room.count(".") > 1}


def test_a_room_within_a_room_does_not_reach_back() -> None:
    assert [wrong for name, used in imports().items() for wrong in reaching_back(name, used)] == []


def test_an_import_upward_one_past_a_door_and_one_back_are_found() -> None:
    upwards = frozenset({Import("wholesale.sync", "Run", is_lazy=True)})
    hidden = frozenset({Import("wholesale.api.resources", "RESOURCES")})
    back = frozenset({Import("wholesale_elt.warehouse.destination", "Warehouse")})

    assert upward("wholesale.http.client", upwards) == [
        "wholesale.http.client imports wholesale.sync"
    ]
    assert past_the_door("wholesale.http.client", hidden) == [
        "wholesale.http.client imports wholesale.api.resources.RESOURCES"
    ]
    assert reaching_back("wholesale_elt.warehouse.ports.lake", back) == [
        "wholesale_elt.warehouse.ports.lake imports wholesale_elt.warehouse.destination"
    ]


@pytest.mark.parametrize("room", DESCRIBED)
def test_a_room_says_what_comes_in_what_goes_out_what_it_must_not_know_and_where_to_begin(
    room: str,
) -> None:
    tree = ast.parse(MODULES[room].read_text())
    lines = (ast.get_docstring(tree) or "").splitlines()[:6]  # a theory may follow
    starts = ("In:  ", "Out: ", "Knows nothing of ", "Begin with `")

    assert lines[1] == ""
    for start, line in zip(starts, lines[2:], strict=True):
        assert line.startswith(start), line
    begin = lines[-1].split("`")[1]
    assert f"{room}.{begin}" in MODULES


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_room_offers_is_used_by_another_room(room: str) -> None:
    used = {
        found.name
        for name, used in imports().items()
        if not name.startswith(f"{room}.") and name != room
        for found in used
        if found.module == room
    }

    assert set(offered(room)) <= used


def test_no_folder_holds_more_than_a_dozen_modules() -> None:
    folders = Counter(path.parent for path in MODULES.values() if path.name != "__init__.py")

    assert {folder for folder, count in folders.items() if count > MODULES_A_FOLDER} == set()


@pytest.mark.parametrize("package", HOUSE)
def test_there_are_no_circles(package: str) -> None:
    def module_of(found: Import) -> str:
        whole = f"{found.module}.{found.name}"
        return whole if whole in MODULES else found.module

    graph = {
        name: {
            target
            for found in imports()[name]
            if (target := module_of(found)) in MODULES and target != name and not found.is_for_types
        }
        for name in MODULES
        # The head of a package may offer what stands in its modules.
        if top(name) == package and MODULES[name].name != "__init__.py"
    }

    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as cycle:
        pytest.fail(" -> ".join(cycle.args[1]))
    assert set(graph) <= set(order)


def test_what_is_known_of_the_service_is_known_before_anything_else() -> None:
    for name in MODULES:
        if place(name) in {("wholesale", "api"), ("wholesale", "errors")}:
            used = {i.module for i in imports()[name] if top(i.module) in HOUSE}
            assert {place(module) for module in used} <= {
                ("wholesale", "api"),
                ("wholesale", "lazy"),
            }


def test_http_is_talked_in_one_room_and_by_libraries() -> None:
    for library in ("httpx", "httpcore"):
        users = {module for module in importers_of(library) if top(module) == "wholesale"}
        assert rooms_of(users) == {"wholesale.http"}
    # For the errors of the resolver, which the libraries hand on.
    users = {module for module in importers_of("socket") if top(module) == "wholesale"}
    assert users == {"wholesale.http.way"}


def packages_used_by(package: str) -> set[str]:
    """The other packages of the house that a package imports, at any time."""
    return {
        top(found.module)
        for name, used in imports().items()
        if top(name) == package
        for found in used
        if top(found.module) in HOUSE
    } - {package}


def test_the_core_imports_nothing_that_is_optional() -> None:
    assert packages_used_by("wholesale_elt") == {"wholesale"}


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plug_in_knows_the_core_and_no_other_plug_in(plugin: str) -> None:
    assert packages_used_by(plugin) <= {"wholesale", "wholesale_elt"}


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plug_in_offers_the_modules_that_its_entry_points_name(plugin: str) -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    named = {
        place(target.partition(":")[0])
        for points in groups.values()
        for target in points.values()
        if top(target) == plugin
    }

    assert {(plugin, name) for name in offered(plugin)} == named


def test_only_what_people_run_opens_a_database() -> None:
    users = {top(module) for module in importers_of("duckdb")}

    assert users <= {"wholesale_elt", *PLUGINS}


def test_one_module_opens_duckdb_which_computes_wrongly_where_it_is_opened_otherwise() -> None:
    opening = {name for name, path in MODULES.items() if "duckdb.connect(" in path.read_text()}

    assert opening == {"wholesale_elt.process.budget"}


def test_dlt_is_known_to_the_source_and_to_what_people_run() -> None:
    people_run = {"wholesale_elt", *PLUGINS}
    outside = {module for module in importers_of("dlt") if top(module) not in people_run}

    assert outside == {
        "wholesale.configuration",
        "wholesale.dlt_hints",
        "wholesale.dlt_resource",
        "wholesale.places",
        "wholesale.source",
    }


def test_threads_are_where_pages_are_fetched_and_where_they_are_decoded() -> None:
    threaded = {m for m in importers_of("concurrent") if top(m) == "wholesale"}

    assert threaded == {
        "wholesale.sync.batches",
        "wholesale.pages.fetcher",
        "wholesale.pages.read_ahead",
        "wholesale.pages.work_queue",
    }


def test_the_sandbox_knows_nothing_of_the_extractor_but_the_endpoints() -> None:
    used = {
        (found.module, found.name)
        for name, used in imports().items()
        if top(name) == "wholesale_sandbox"
        for found in used
        if top(found.module) in HOUSE and top(found.module) != "wholesale_sandbox"
    }
    facts = {"Assumption", "Fact", "Statement", "assumed", "documented"}

    assert {module for module, _ in used} == {"wholesale.api"}
    endpoints = {"ENDPOINT", "ENDPOINTS", "PATH_PREFIX", "Endpoint"}
    assert {name for _, name in used} - facts == endpoints


def test_the_extractor_stands_alone() -> None:
    assert packages_used_by("wholesale") == set()


def test_what_people_run_imports_the_sandbox_only_when_it_is_used() -> None:
    early = {
        (name, found.module)
        for name, used in imports().items()
        for found in used
        if top(name) == "wholesale_elt" and top(found.module) == "wholesale_sandbox"
        if not found.is_lazy and not found.is_for_types
    }

    assert early == set()
