"""World: a wholesale business of two years, computed from a seed.

In:  a seed, a number of orders, an end.
Out: `World`: the catalogue, and orders on request.
Knows nothing of storage or service; the same seed makes the same bytes.
Begin with `business`.
"""

from wholesale_sandbox.world.business import World

__all__ = ["World"]
