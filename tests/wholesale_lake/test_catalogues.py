"""A catalogue that cannot be used is refused, with what to set."""

import sys
from collections.abc import Mapping

import pytest

from support.warehouses.desks import Lake, configure
from wholesale.errors import ConfigurationError
from wholesale_elt.publish.store import store_for
from wholesale_lake.iceberg.catalog import CatalogUnreachable


@pytest.mark.parametrize(
    ("place", "settings", "message"),
    [
        ("iceberg:other-one", {}, "set PYICEBERG_CATALOG__OTHER_ONE__URI .* .pyiceberg.yaml"),
        ("iceberg:", {}, "lacks the name of a catalogue"),
        ("iceberg:lake/a b", {}, "lacks the name .* iceberg:CATALOGUE or iceberg:CATALOGUE/PREFIX"),
        ("iceberg:lake", {"uri": "ftp://nowhere"}, "iceberg:lake cannot be used: Could not infer"),
    ],
)
def test_a_catalogue_that_cannot_be_one_is_refused_with_what_to_set(
    lake: Lake,
    place: str,
    settings: Mapping[str, str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configure(monkeypatch, **settings)
    with pytest.raises(ConfigurationError, match=message):
        store_for(place)


def test_a_catalogue_that_does_not_answer_is_named(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, uri="sqlite:////nowhere/at/all.db")
    lake.build(1)
    with pytest.raises(
        CatalogUnreachable, match=r"^iceberg:lake cannot be read or written: .*unable to"
    ):
        lake.publish()


def test_without_pyiceberg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("wholesale_lake.iceberg")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.delitem(sys.modules, "wholesale_lake.publication")
    monkeypatch.setitem(sys.modules, "pyiceberg.catalog", None)
    with pytest.raises(
        ConfigurationError, match=r'pyiceberg.*pip install "wholesale-elt\[iceberg\]"'
    ):
        store_for("iceberg:lake")
