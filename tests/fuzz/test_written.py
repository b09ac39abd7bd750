"""Services that were written at random hold; `poe written` writes others for as long as it may."""

import pytest

from fuzz.written import in_a_process

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(12))
def test_whatever_a_service_is_its_certificates_are_what_it_holds(seed: int) -> None:
    assert in_a_process(seed) == ""
