"""Variables are others until a block ends, however it ends."""

import os

import pytest

from wholesale_elt.process.variables import environment


def test_variables_are_as_before_when_the_block_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEPT", "before")
    monkeypatch.delenv("NEW", raising=False)
    before = dict(os.environ)
    with pytest.raises(KeyError), environment({"KEPT": "within", "NEW": "within"}):  # noqa: PT012
        assert (os.environ["KEPT"], os.environ["NEW"]) == ("within", "within")
        os.environ["LEFT"] = "by the block"
        raise KeyError

    assert dict(os.environ) == before
