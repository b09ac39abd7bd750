"""Costs: whether bodies are fetched one by one or as whole pages of their list."""

BYTES_A_REQUEST_COSTS = 10_000
"""About what a round trip is worth beside the bytes it carries."""
BYTES_A_BODY_HAS = 3_000
"""About the size of an order in full, before any was seen."""


def is_cheaper_by_page(wanted: int, pages: int, records: int) -> bool:
    """Whether so many bodies cost less as whole pages of the list than one by one."""
    by_id = wanted * (BYTES_A_REQUEST_COSTS + BYTES_A_BODY_HAS)
    by_page = pages * BYTES_A_REQUEST_COSTS + records * BYTES_A_BODY_HAS
    return wanted > 0 and by_page < by_id
