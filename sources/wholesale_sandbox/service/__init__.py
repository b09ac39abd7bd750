"""Service: the API and the admin surface as ASGI applications, and their server.

In:  HTTP requests.
Out: HTTP responses, and a log of the requests.
Knows nothing of what records mean; it finds the handler and sends its response.
Begin with `app`.
"""

from wholesale_sandbox.service.admin import admin
from wholesale_sandbox.service.app import Service, api
from wholesale_sandbox.service.listener import Listener, PortInUse
from wholesale_sandbox.service.request_log import RequestLog

__all__ = ["Listener", "PortInUse", "RequestLog", "Service", "admin", "api"]
