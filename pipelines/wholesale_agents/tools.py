"""Tools: a question as a tool, which refuses arguments that it does not have, and says in a line
what it cannot answer."""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import getdoc
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import ValidationError

from wholesale.errors import Unanswerable, WholesaleError, one_line
from wholesale_agents.bounds import require_short
from wholesale_agents.questions import Answer


class StrictTool(Tool):
    """A tool of which every argument is one of its own. An optional one that is null is not given;
    a parameter `from_` is the argument `from`, which Python has no such name for."""

    async def run(self, arguments: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Raises: ToolError also for an argument that it does not have, or that does not fit."""
        try:
            given = self._given(arguments)
            # Strictly: a boolean is no number, though Python counts it as one.
            metadata = self.fn_metadata
            metadata.arg_model.model_validate(metadata.pre_parse_json(given), strict=True)
        except ValidationError as error:
            reasons = (
                f"{'.'.join(map(str, each['loc'])).rstrip('_')}: {each['msg']}"
                for each in error.errors()
            )
            raise ToolError(one_line("; ".join(reasons))) from None
        except WholesaleError as error:
            raise ToolError(one_line(error, None)) from None
        return await super().run(given, *args, **kwargs)

    def _given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """By parameter. Raises: Unanswerable for an argument that it does not have."""
        known = self.parameters["properties"]
        for name in arguments:
            if name not in known:
                there_are = f"there are {', '.join(known)}" if known else "it has none"
                raise Unanswerable(f"{self.name} has no argument {name[:80]!r}: {there_are}")
        required = self.parameters.get("required", ())
        parameters = {name.rstrip("_"): name for name in self.fn_metadata.arg_model.model_fields}
        return {
            parameters[name]: value
            for name, value in arguments.items()
            if value is not None or name in required
        }


def tool_of(question: Callable[..., Answer], page: str | None = None) -> Tool:
    """The tool of that name, described by the docstring; its schema allows no other arguments.
    Hosts that can, show its answers by a `page`, a resource of the server."""
    tool = StrictTool.from_function(
        _with_tool_errors(question),
        description=getdoc(question),
        annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
        meta={"ui": {"resourceUri": page}} if page else None,
    )
    properties = tool.parameters.get("properties", {})
    tool.parameters |= {
        "properties": {name.rstrip("_"): of for name, of in properties.items()},
        "additionalProperties": False,
    }
    return tool


def _with_tool_errors(question: Callable[..., Answer]) -> Callable[..., Answer]:
    """The same function; its errors are answers of one line, and so is an answer that is too
    long."""

    @wraps(question)
    def ask(*args: Any, **kwargs: Any) -> Answer:
        try:
            answer = question(*args, **kwargs)
            require_short(answer)
        except WholesaleError as error:
            raise ToolError(one_line(error, None)) from None
        return answer

    return ask
