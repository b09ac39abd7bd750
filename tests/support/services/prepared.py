"""Prepared: all that a run imports, for the process from which commands are forked."""

from importlib import import_module

from wholesale_elt.cli.main import prepare_imports
from wholesale_elt.process import plugins

IMPORTED = (
    "dlt.sources.helpers.requests",
    "numpy.ma",
    "pyarrow.dataset",
    "wholesale.configuration",
    "wholesale_elt.cli.demo",
    "wholesale_elt.cli.errors",
    "wholesale_elt.cli.output.jobs",
    "wholesale_elt.cli.output.progress",
    "wholesale_elt.load",
    "wholesale_elt.models",
    "wholesale_elt.monitoring",
    "wholesale_elt.process.memory",
    "wholesale_elt.publish",
)
"""What is imported when it is needed, but for the HTTP client, whose allocator is its own."""

prepare_imports()
for name in IMPORTED:
    module = import_module(name)
    for each in getattr(module, "__all__", ()):  # packages load a name when it is asked for
        getattr(module, each)
_ = list(plugins("drafts"))  # which a publication calls
