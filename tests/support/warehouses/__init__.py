"""Warehouses: what is built and published, for tests to change, read and look at."""
