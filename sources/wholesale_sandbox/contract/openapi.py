"""OpenAPI: the 3.1 document of the 56 endpoints, as the sandbox answers them."""

from copy import deepcopy
from itertools import pairwise
from typing import Any, Literal, cast

from wholesale.api import ENDPOINTS, PATH_PREFIX, Endpoint, Fact
from wholesale_sandbox.contract.assumptions import (
    DEFAULT_LIMIT,
    DEFAULT_VERBOSE,
    FIRST_PAGE,
    LIMIT_CAP,
)
from wholesale_sandbox.contract.field_schemas import INT32, Schema, reference
from wholesale_sandbox.contract.fields import RESOURCE, Resource
from wholesale_sandbox.contract.schemas import (
    components,
    create_name,
    form,
    page_name,
    record_name,
    update_name,
)

Role = Literal["root", "list", "get", "create", "update", "delete", "act"]

_ROLES: dict[str, Role] = {
    "get_root": "root",
    "resend_invitation": "act",
    "reset_password": "act",
    "activate_buyer_user": "act",
    "deactivate_buyer_user": "act",
}

_INTRODUCTION = (
    "`x-section` names the § of the API description that an operation or a schema rests on. "
    "`x-documented: false` and `x-assumed: true` mark what that § leaves open and the sandbox "
    "decides; `x-documented-statuses` are the statuses the description gives to an operation; "
    "`x-refers-to` names the resource whose id a value holds."
)

_API_KEY = {
    "type": "apiKey",
    "in": "header",
    "name": "X-API-Key",
    "description": "Goes with every request (§5).",
}

_FROM_ONE = INT32 | {"minimum": 1}
_QUERY: dict[str, tuple[Schema, str]] = {
    "verbose": (
        {"type": "boolean", "default": DEFAULT_VERBOSE.value},
        "Whole orders where true.",
    ),
    "page": (_FROM_ONE | {"default": FIRST_PAGE.value}, "The page to read, counted from 1."),
    "limit": (
        _FROM_ONE | {"default": DEFAULT_LIMIT.value},
        f"Records on a page; never more than {LIMIT_CAP.value}.",
    ),
}

# The responses that are no success: status, name, meaning.
_FAILURES: dict[str, tuple[str, str]] = {
    "401": ("InvalidCredentials", "The key is missing or wrong (§5)."),
    "404": ("ResourceNotFound", "No such record (§7)."),
    "422": ("UnprocessableEntity", "The request breaks a rule, which `details` names (§7)."),
    "429": ("TooManyRequests", "Asked for too often: only where a dial says so (§8)."),
    "5XX": ("ServiceFailure", "A failure of the service: only where a dial says so (§7)."),
}


def document() -> dict[str, Any]:
    """The whole document as JSON values; the caller may change what it gets."""
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Wholesale catalog and ordering, as served by the sandbox",
            "version": "v1",
            "description": _INTRODUCTION,
        },
        "servers": [{"url": PATH_PREFIX}],
        "security": [{"apiKey": []}],
        "tags": [{"name": "service"}, *({"name": name} for name in RESOURCE)],
        "paths": _paths(),
        "components": {
            "schemas": dict(sorted(components().items())),
            "responses": _failures(),
            "securitySchemes": {"apiKey": _API_KEY},
        },
    }
    return deepcopy(document)


def _paths() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return paths


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    resource = _resource(endpoint)
    described = endpoint.section != "4.12"
    parameters = [*_path_parameters(endpoint), *_query_parameters(endpoint)]
    wrapper = endpoint.wrapper
    body = _request_body(endpoint, resource, wrapper) if resource and wrapper else None
    return {
        "operationId": endpoint.name,
        "summary": endpoint.name.replace("_", " ").capitalize(),
        "description": f"§{endpoint.section}" + ("." if described else ", payload assumed."),
        "tags": [resource.name if resource else "service"],
        **({"parameters": parameters} if parameters else {}),
        **({"requestBody": body} if body else {}),
        "responses": _responses(endpoint),
        "x-section": endpoint.section,
        "x-documented": described,
        "x-documented-statuses": _documented_statuses(endpoint),
    }


def _role(endpoint: Endpoint) -> Role:
    return _ROLES.get(endpoint.name) or cast(Role, endpoint.name.split("_")[0])


def _resource(endpoint: Endpoint) -> Resource | None:
    """The resource an endpoint is about: the last one in its path, None at the root."""
    named = [RESOURCE[segment] for segment in endpoint.path.split("/") if segment in RESOURCE]
    return named[-1] if named else None


def _path_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    return [
        {
            "name": segment[1:-1],
            "in": "path",
            "required": True,
            "schema": {"type": "string", "format": "uuid"},
            "x-refers-to": collection,
        }
        for collection, segment in pairwise(endpoint.path.split("/"))
        if segment.startswith("{")
    ]


def _query_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    names = endpoint.query or (("page", "limit") if _role(endpoint) == "list" else ())
    return [_query_parameter(name, endpoint) for name in names]


def _query_parameter(name: str, endpoint: Endpoint) -> dict[str, Any]:
    schema, meaning = _QUERY[name]
    documented = name in endpoint.query
    return {
        "name": name,
        "in": "query",
        "schema": schema,
        "description": meaning if documented else f"{meaning} Assumed: §{endpoint.section}.",
        "x-documented": documented,
        **({} if documented else {"x-assumed": True}),
    }


def _request_body(endpoint: Endpoint, resource: Resource, wrapper: Fact[str]) -> dict[str, Any]:
    fields = create_name(resource) if _role(endpoint) == "create" else update_name(resource)
    content: dict[str, Any] = {
        "application/json": {
            "schema": {
                "type": "object",
                "properties": {wrapper.value: reference(fields)},
                "required": [wrapper.value],
            }
        }
    }
    if endpoint.name == "create_brand":
        content["multipart/form-data"] = {"schema": form(resource)}
    return {
        "required": True,
        "content": content,
        "x-section": wrapper.section,
        "x-documented": wrapper.is_documented,
    }


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    """Every status the sandbox may answer with; §5 gives the 401 to all endpoints."""
    failures = ["401", "429", "5XX"]
    if "{" in endpoint.path or 404 in endpoint.errors:
        failures.append("404")
    if endpoint.wrapper or _query_parameters(endpoint) or 422 in endpoint.errors:
        failures.append("422")
    return {
        str(endpoint.success.value): _success(endpoint),
        **{
            status: {"$ref": f"#/components/responses/{_FAILURES[status][0]}"}
            for status in sorted(failures)
        },
    }


def _documented_statuses(endpoint: Endpoint) -> list[int]:
    success = [endpoint.success.value] if endpoint.success.is_documented else []
    return sorted({*success, *endpoint.errors, 401})


def _success(endpoint: Endpoint) -> dict[str, Any]:
    schema, meaning = _answer(endpoint)
    return {
        "description": meaning,
        **({"content": {"application/json": {"schema": schema}}} if schema else {}),
    }


def _answer(endpoint: Endpoint) -> tuple[Schema | None, str]:
    """The schema of a success, None where it has no body, and what it is."""
    resource, role = _resource(endpoint), _role(endpoint)
    if resource is None:
        return reference("Service"), "What answers here."
    if resource.name == "orders":
        if role == "list":
            forms = [reference(page_name(name)) for name in ("OrderVerbose", "OrderSummary")]
            return {"anyOf": forms}, "A page of orders: whole ones, or their summaries."
        forms = [reference(name) for name in ("OrderVerbose", "OrderBasic")]
        return {"anyOf": forms}, "The order: its verbose form, or its basic one."
    record, noun = record_name(resource), resource.wrapper.replace("_", " ")
    match role:
        case "list":
            return reference(page_name(record)), f"A page of {resource.name.replace('_', ' ')}."
        case "delete":
            return None, f"The {noun} is gone."
        case "create":
            return reference(record), f"The new {noun}."
        case _:
            return reference(record), f"The {noun}."


def _failure(meaning: str) -> dict[str, Any]:
    return {
        "description": meaning,
        "content": {"application/json": {"schema": reference("Error")}},
    }


def _failures() -> dict[str, Any]:
    failures = {name: _failure(meaning) for name, meaning in _FAILURES.values()}
    seconds = {"description": "Seconds to wait.", "schema": {"type": "string"}}
    failures["TooManyRequests"]["headers"] = {"Retry-After": seconds}
    return failures
