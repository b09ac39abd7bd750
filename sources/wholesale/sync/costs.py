"""Costs: whether full records are fetched one by one or as whole pages of their list."""

BYTES_A_REQUEST_COSTS = 10_000
"""About the number of bytes that take as long as a round trip."""
BYTES_A_BODY_HAS = 3_000
"""About the size of a full order."""


def is_cheaper_by_page(wanted: int, pages: int, records: int) -> bool:
    """Whether `wanted` full records cost less as all pages of the list than one by one."""
    by_id = wanted * (BYTES_A_REQUEST_COSTS + BYTES_A_BODY_HAS)
    by_page = pages * BYTES_A_REQUEST_COSTS + records * BYTES_A_BODY_HAS
    return wanted > 0 and by_page < by_id
