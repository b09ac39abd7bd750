"""Whom tests trust: services of this machine speak plain HTTP, and show no certificates.

Each client of httpx, and each of its calls without one, otherwise reads all authorities there are
first, which costs more than most tests.
"""

import ssl

NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
