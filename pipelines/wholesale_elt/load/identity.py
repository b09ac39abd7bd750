"""Identity: which service a warehouse holds data of, so that no run adds those of another.

A service is its base URL. A sandbox is what it calls itself in the header `Server` (RFC 9110,
§10.2.4): its port may be another one in each run, and where its records come from is not.
"""

from urllib.parse import urlsplit

from wholesale.errors import ConfigurationError
from wholesale.settings import LOOPBACK, ApiSettings
from wholesale_elt.warehouse import CERTIFICATES, Raw, Warehouse

SANDBOX = "wholesale-sandbox"
"""The product that a sandbox names; a comment behind it tells where its records come from."""
OF_THIS_MACHINE = "sandbox"
"""What the first version called every service on a loopback address."""


class Identity:
    """The service of one run. `service` is its name, known for good with its first answer."""

    def __init__(self, settings: ApiSettings, warehouse: Warehouse) -> None:
        parts = urlsplit(settings.base_url)
        self._address = f"{parts.netloc.lower()}{parts.path}"
        self._is_of_this_machine = parts.hostname in LOOPBACK
        self._warehouse = warehouse
        self._stored: str | None = None
        self.service = self._address

    def expect(self, raw: Raw) -> None:
        """From now on, only the service whose data are stored is the right one, if any are.

        What the first version wrote may be gone on with by any service of this machine, as it was
        then: it did not tell them apart. The certificates of this run do.

        Raises: ConfigurationError, unless that is a sandbox, whose word is waited for.
        """
        rows = raw.rows(
            f"select service from {raw.name(CERTIFICATES)} order by run_id desc limit 1"
        )
        self._stored = rows[0][0] if rows else None
        if self._stored == OF_THIS_MACHINE and self._is_of_this_machine:
            self._stored = None
        if self._stored and not self._stored.startswith(SANDBOX):
            self.see("")

    def see(self, server: str) -> None:
        """Take note of how the service that answers calls itself; of nothing, if it does not.

        Raises: ConfigurationError where another service is the right one.
        """
        self.service = server if server.startswith(SANDBOX) else self._address
        if self._stored not in (None, self.service):
            raise ConfigurationError(
                f"{self._warehouse.name} holds data of {self._stored}, and this run would add data"
                f" of {self.service}: {self._warehouse.remedy}"
            )
