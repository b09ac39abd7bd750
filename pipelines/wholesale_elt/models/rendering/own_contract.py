"""Own contract: what the YAML of users may say, so that nothing in it is ignored."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wholesale_elt.models.rendering.failures import NotRendered

TYPE = r"text|json|bigint|boolean|date|timestamptz|decimal\(\d{1,2}, ?\d{1,2}\)"
TYPES = "text, json, bigint, boolean, date, timestamptz or decimal(38, 9)"
EXPECTED = {
    "string_type": "text",
    "dict_type": "entry of names and values",
    "model_type": "entry of names and values",
    "model_attributes_type": "entry of names and values",
    "is_instance_of": "list",
}
"""What should stand there, by pydantic's kind of fault."""
CLOSED = ConfigDict(extra="forbid", defer_build=True)


Name = Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*$")]


class _Config(BaseModel):
    model_config = CLOSED
    severity: Literal["error", "warn"] = "error"


class _Test(BaseModel):
    model_config = CLOSED
    arguments: dict[str, Any] = Field(default_factory=dict)
    config: _Config = _Config()
    name: str | None = None


class _Column(BaseModel):
    model_config = CLOSED
    name: str
    description: str = ""
    data_type: Annotated[str, Field(pattern=rf"^({TYPE})$")] | None = None
    data_tests: Sequence[str | Mapping[str, _Test | None]] = ()


class _Model(BaseModel):
    model_config = CLOSED
    name: str
    description: str = ""
    columns: Sequence[_Column] = ()
    data_tests: Sequence[str | Mapping[str, _Test | None]] = ()


class _Meta(BaseModel):
    model_config = CLOSED
    synonyms: Sequence[str] = ()


class _About(BaseModel):
    model_config = CLOSED
    meta: _Meta = _Meta()


class _Dimension(BaseModel):
    model_config = CLOSED
    name: Name
    type: Literal["categorical", "time"]
    description: str = ""
    expr: Name | None = None
    type_params: Mapping[str, Any] | None = None
    config: _About = _About()


class _Measure(BaseModel):
    model_config = CLOSED
    name: Name
    agg: Literal["sum", "count_distinct"]
    expr: str
    description: str = ""


class _Defaults(BaseModel):
    model_config = CLOSED
    agg_time_dimension: str


class _SemanticModel(BaseModel):
    model_config = CLOSED
    name: str
    description: str = ""
    model: str
    defaults: _Defaults | None = None
    entities: Sequence[Mapping[str, Any]] = ()
    dimensions: Sequence[_Dimension] = ()
    measures: Sequence[_Measure] = ()


class _Parameters(BaseModel):
    model_config = CLOSED
    measure: str | None = None
    numerator: str | None = None
    denominator: str | None = None


class _Metric(BaseModel):
    model_config = CLOSED
    name: str
    label: str = ""
    description: str = ""
    type: Literal["simple", "ratio"]
    type_params: _Parameters
    config: _About = _About()


class _File(BaseModel):
    model_config = CLOSED
    version: Any = None
    models: Sequence[_Model] = ()
    semantic_models: Sequence[_SemanticModel] = ()
    metrics: Sequence[_Metric] = ()


def require_known(path: str, text: str, found: object) -> None:
    """Raises: NotRendered with the line of the first entry that is not understood, and the rule."""
    try:
        _File.model_validate(found)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        fault = max(faults, key=lambda each: len(each["loc"]))  # of a union the one that fits best
        place = [part for part in fault["loc"] if re.fullmatch(r"\w+", str(part))]
        rule, kind = fault["msg"], fault["type"]
        if kind == "extra_forbidden":
            rule = f"{place[-1]} is unknown here"
        elif kind == "missing":
            rule = f"{place.pop()} is missing"
        elif kind == "string_pattern_mismatch":
            rule = f"{fault['input']} is no {place[-1]}: use "
            rule += TYPES if place[-1] == "data_type" else "small letters, digits and _"
        elif kind in EXPECTED:
            rule = f"{fault['input']!r:.40} is no {EXPECTED[kind]}"
        line = _line_of(text, place)
        raise NotRendered(path, line, f"{rule[:1].lower()}{rule[1:]}") from None


def _line_of(text: str, place: Sequence[int | str]) -> int:
    """The line of what stands at a place in a YAML file, from 1."""
    node = yaml.compose(text, yaml.SafeLoader)
    line = 1
    for part in place:
        entries: Sequence[Any] = node.value if isinstance(node, yaml.CollectionNode) else ()
        if isinstance(part, int) and part < len(entries):
            node = entries[part]
            line = node.start_mark.line + 1
            continue
        found = next(
            (pair for pair in entries if isinstance(pair, tuple) and pair[0].value == part), None
        )
        if found is None:
            break
        node, line = found[1], found[0].start_mark.line + 1
    return line
