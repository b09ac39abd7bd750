"""Tested: the destinations that pass the suite, by name, those of plug-ins among them."""

from collections.abc import Mapping

from wholesale_elt.process import plugin_names
from wholesale_elt.warehouse import Destination, tested

TESTED: Mapping[str, Destination] = {name: tested(name) for name in plugin_names("destinations")}
