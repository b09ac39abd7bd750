"""Identity: the service whose data a warehouse has, so that no run asks another one.

A service is identified by its base URL. A sandbox is identified by its header `Server` (RFC 9110,
§10.2.4), as its port may change with each run, while the origin of its records does not.
"""

from urllib.parse import urlsplit

from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings
from wholesale_elt.runs.history import recency
from wholesale_elt.warehouse import CERTIFICATES, RawReader, Warehouse

SANDBOX = "wholesale-sandbox"
"""The product name of a sandbox; the comment after it tells the origin of its records."""


class Identity:
    """The service of one run. `service` is its name, which is final after its first response."""

    def __init__(self, settings: ApiSettings, warehouse: Warehouse) -> None:
        parts = urlsplit(settings.base_url)
        self._address = f"{parts.netloc.lower()}{parts.path}"
        self._warehouse = warehouse
        self._stored: str | None = None
        self.service = self._address

    def expect(self, raw: RawReader) -> None:
        """From now on accept only the service whose data is stored, if any is.

        Raises: ConfigurationError for another service; that of a sandbox is known later.
        """
        rows = raw.rows(
            f"select service from {raw.name(CERTIFICATES)} order by {recency()} desc limit 1"
        )
        self._stored = rows[0][0] if rows else None
        if self._stored and not self._stored.startswith(SANDBOX):
            self.see("")
        self.service = self._stored or self.service  # until a response tells

    def see(self, server: str) -> None:
        """Note the name in this header `Server`, if there is one.

        Raises: ConfigurationError if the stored data is of another service.
        """
        self.service = server if server.startswith(SANDBOX) else self._address
        if self._stored not in (None, self.service):
            raise ConfigurationError(
                f"{self._warehouse.name} holds data of {self._stored}, and this run asks"
                f" {self.service}: {self._warehouse.remedy}"
            )
