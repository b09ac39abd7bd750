"""Service: the API and the admin surface as ASGI applications, and what serves them.

In:  HTTP requests.
Out: HTTP answers, and a log of the requests.
Knows nothing of what a record means; it looks up the handler and delivers.
Begin with `app`.
"""

from wholesale_sandbox.service.admin import admin
from wholesale_sandbox.service.app import Service, api
from wholesale_sandbox.service.listener import Listener, PortInUse
from wholesale_sandbox.service.request_log import RequestLog

__all__ = ["Listener", "PortInUse", "RequestLog", "Service", "admin", "api"]
