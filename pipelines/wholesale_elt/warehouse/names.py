"""Names: what the raw dataset and the tables of runs in it are called."""

RAW_DATASET = "wholesale_raw"
CERTIFICATES = "sync_runs"
"""The table with a certificate of each run and resource."""
RELEASES = "sync_versions"
"""The table with a row for each change of the release that writes."""
ATTACHED = (CERTIFICATES, RELEASES)
"""The raw tables that a publication reads."""
PIPELINE = "wholesale"
"""The name of dlt's schema of the raw tables."""
