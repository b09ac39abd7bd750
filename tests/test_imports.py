"""Who may import whom: the rooms of the house depend on each other in one direction only."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOUSE = {
    "wholesale": ROOT / "sources",
    "wholesale_sandbox": ROOT / "sources",
    "wholesale_elt": ROOT / "pipelines",
}
REGISTRIES = ("endpoints", "resources", "assumptions")
BEDROCK = ("facts", "errors", "traffic", "retries")
PURE = (
    *("records", "wire", "values", "shapes", "tables", "fast", "careful", "decoder"),
    *("ids", "digests", "seen", "pages", "stored", "sweep", "plan", "audit", "pace", "concurrency"),
)


@dataclass(frozen=True)
class Import:
    """One import: the module that it names, and when it happens."""

    target: str
    is_lazy: bool = False
    is_for_types: bool = False


def imports_of(
    tree: ast.AST, is_lazy: bool = False, is_for_types: bool = False
) -> Iterator[Import]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, is_lazy, is_for_types)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "the house imports by full names"
            assert node.module is not None
            for alias in node.names:
                # A name may be a module of a package; resolving needs to know the modules.
                yield Import(f"{node.module}.{alias.name}", is_lazy, is_for_types)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports_of(node, is_lazy, True)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from imports_of(node, True, is_for_types)
        else:
            yield from imports_of(node, is_lazy, is_for_types)


def _modules() -> dict[str, Path]:
    found = {}
    for package, folder in HOUSE.items():
        for path in sorted((folder / package).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()


def resolved(target: str) -> str:
    """The module that an imported name belongs to: of ours the longest known, else as it stands."""
    name = target
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or target


IMPORTS: Mapping[str, frozenset[Import]] = {
    name: frozenset(
        Import(resolved(found.target), found.is_lazy, found.is_for_types)
        for found in imports_of(ast.parse(path.read_text()))
    )
    for name, path in MODULES.items()
}


def top(name: str) -> str:
    return name.partition(".")[0]


def house_imports(module: str) -> set[str]:
    return {found.target for found in IMPORTS[module] if top(found.target) in HOUSE}


def importers_of(library: str) -> set[str]:
    return {
        module
        for module, imports in IMPORTS.items()
        if any(top(found.target) == library for found in imports)
    }


def test_the_house_is_found() -> None:
    assert {top(name) for name in MODULES} == set(HOUSE)
    assert {f"wholesale.{name}" for name in (*BEDROCK, *REGISTRIES, *PURE)} <= set(MODULES)
    assert house_imports("wholesale.decoder") == {
        f"wholesale.{name}" for name in ("careful", "errors", "fast", "shapes", "tables")
    }


@pytest.mark.parametrize("name", BEDROCK)
def test_the_bedrock_imports_nothing_of_the_house(name: str) -> None:
    assert house_imports(f"wholesale.{name}") == set()


@pytest.mark.parametrize("name", REGISTRIES)
def test_registries_import_only_facts(name: str) -> None:
    assert house_imports(f"wholesale.{name}") == {"wholesale.facts"}


@pytest.mark.parametrize("name", PURE)
def test_pure_modules_touch_no_network_no_database_and_no_source(name: str) -> None:
    used = IMPORTS[f"wholesale.{name}"]
    libraries = {top(found.target) for found in used}
    names = ("client", "fetcher", "reader", "reports", "run", "source", "hints")
    rooms = {f"wholesale.{room}" for room in names}

    assert libraries & {"httpx", "dlt", "duckdb"} == set()
    assert house_imports(f"wholesale.{name}") & rooms == set()


def test_http_is_talked_by_the_client_and_what_carries_its_requests() -> None:
    carriers = {"wholesale.connections", "wholesale.proxies"}

    assert importers_of("httpx") == {"wholesale.client", *carriers}
    assert importers_of("httptools") == {"wholesale.connections"}
    assert "wholesale.client" not in importers_of("http") | importers_of("socket")


def test_the_client_is_known_to_those_who_make_it_hand_it_on_or_ask_it() -> None:
    users = {m for m in MODULES if top(m) == "wholesale" and "wholesale.client" in house_imports(m)}

    assert users == {"wholesale.run", "wholesale.reader", "wholesale.fetcher"}


def test_the_extractor_has_threads_where_it_fetches_and_where_it_decodes() -> None:
    threaded = {m for m in importers_of("concurrent") if top(m) == "wholesale"}
    assert threaded == {"wholesale.batches", "wholesale.fetcher"}


def test_dlt_is_known_to_the_source_and_to_what_people_run() -> None:
    outside = {module for module in importers_of("dlt") if top(module) != "wholesale_elt"}

    assert outside == {"wholesale.hints", "wholesale.source"}


@pytest.mark.parametrize("name", ["layout", "tiles", "pages", "exposures", "scripts"])
def test_what_the_dashboard_shows_is_said_without_a_database(name: str) -> None:
    module = f"wholesale_elt.dashboard.{name}"

    assert {top(found.target) for found in IMPORTS[module]} & {"duckdb", "pyarrow", "dlt"} == set()
    assert all(target.startswith("wholesale_elt.dashboard.") for target in house_imports(module))


def test_dlt_packages_are_made_and_loaded_in_one_module() -> None:
    assert {m for m in MODULES if "wholesale.source" in house_imports(m)} == {
        "wholesale",
        "wholesale_elt.packages",
    }


def test_only_what_people_run_opens_a_database() -> None:
    assert {top(module) for module in importers_of("duckdb")} <= {"wholesale_elt"}


def test_the_sandbox_knows_nothing_of_the_extractor_but_the_endpoints() -> None:
    used = {
        target
        for module in MODULES
        if top(module) == "wholesale_sandbox"
        for target in house_imports(module)
        if top(target) != "wholesale_sandbox"
    }

    assert used <= {"wholesale.endpoints", "wholesale.facts"}
    assert "wholesale.endpoints" in used


def test_the_extractor_stands_alone() -> None:
    used = {
        top(t) for module in MODULES if top(module) == "wholesale" for t in house_imports(module)
    }

    assert used == {"wholesale"}


def test_what_people_run_imports_the_sandbox_only_when_it_is_used() -> None:
    early = {
        (module, found.target)
        for module, imports in IMPORTS.items()
        for found in imports
        if top(module) == "wholesale_elt" and top(found.target) == "wholesale_sandbox"
        if not found.is_lazy and not found.is_for_types
    }

    assert early == set()


@pytest.mark.parametrize("package", HOUSE)
def test_there_are_no_cycles(package: str) -> None:
    graph = {
        module: {
            found.target
            for found in IMPORTS[module]
            if found.target in MODULES and not found.is_for_types and found.target != module
        }
        for module in MODULES
        # The head of a package may offer what stands in its modules.
        if top(module) == package and MODULES[module].name != "__init__.py"
    }

    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as cycle:
        pytest.fail(" -> ".join(cycle.args[1]))
    assert set(graph) <= set(order)
