"""Sandbox: a reference service for the whole API of the description, served locally."""
