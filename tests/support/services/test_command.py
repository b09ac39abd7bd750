"""Commands of tests are as quick as they can be."""

import os
from pathlib import Path

from support.services.command import run_command


def test_a_command_is_forked_from_a_process_that_has_imported_all_of_it(tmp_path: Path) -> None:
    program = "import sys; print('wholesale_elt.load.sync' in sys.modules)"

    assert run_command([], tmp_path, os.environ, program).stdout == "True\n"
