"""Tests of the SQL models: where dbt is not installed, there is nothing to test."""

import pytest

pytest.importorskip("dbt.cli.main", reason="dbt is not installed for this Python")
