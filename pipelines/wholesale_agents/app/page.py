"""Page: the document, put together of its parts and of the dashboard's own colours and sizes.

It is text alone: a policy in it lets nothing run or load but what it holds, by the hashes of that.
"""

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template

from mcp.server.apps import APP_MIME_TYPE, Apps
from mcp.server.mcpserver.resources import FunctionResource

from wholesale_elt.dashboard import SITE
from wholesale_elt.figures import read_facts, read_metrics

FIGURES = "ui://wholesale/figures"
PARTS = Path(__file__).parent
SCRIPTS = ("host.js", "format.js", "charts.js", "rows.js", "why.js", "figures.js")
STYLES = (SITE / "tokens.css", PARTS / "figures.css")


def figures_app() -> Apps:
    """The extension that offers the page."""
    apps = Apps()
    apps.add_resource(
        FunctionResource(
            uri=FIGURES,
            name="figures",
            title="Figures",
            description="Figures, and why they moved, as a chart and a table.",
            mime_type=APP_MIME_TYPE,
            meta={"ui": {"prefersBorder": True}},
            fn=page,
        )
    )
    return apps


def page() -> str:
    style, script = _joined(*STYLES), _joined(*(PARTS / name for name in SCRIPTS))
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    parts = {"policy": policy, "style": style, "script": script, "words": _words()}
    return Template((PARTS / "figures.html").read_text("utf-8")).substitute(parts)


@cache
def _joined(*paths: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in paths)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _words() -> str:
    """What metrics and dimensions are called, as a block of data in HTML."""
    metrics = {
        name: {"label": metric.label, "unit": metric.unit}
        for name, metric in read_metrics().items()
    }
    dimensions = [name for fact in read_facts().values() for name in fact.dimensions]
    told = {"metrics": metrics, "dimensions": sorted({*dimensions})}
    return json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
