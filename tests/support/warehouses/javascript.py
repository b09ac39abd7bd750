"""The dashboard's scripts in V8, without a browser: only what asks nothing of a page."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from py_mini_racer import MiniRacer

import wholesale_elt.dashboard
from wholesale_elt.dashboard.scripts import bare

SITE = Path(wholesale_elt.dashboard.__file__).parent / "site"
BROWSER = """
globalThis.window = globalThis;
globalThis.document = { documentElement: { dataset: { base: "" } } };
globalThis.setTimeout = (act) => Promise.resolve().then(act);
globalThis.URLSearchParams = class {
    constructor(query = "") {
        const text = (part) => decodeURIComponent(part.replaceAll("+", " "));
        const pairs = query.split("&").filter(Boolean);
        this.pairs = new Map(pairs.map((pair) => {
            const [name, ...rest] = pair.split("=");
            return [text(name), text(rest.join("="))];
        }));
    }
    get(name) { return this.pairs.get(name) ?? null; }
    set(name, value) { this.pairs.set(name, value); }
    [Symbol.iterator]() { return this.pairs[Symbol.iterator](); }
    toString() {
        return [...this.pairs].map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
    }
};
globalThis.TextEncoder = class {
    encode(text) {
        const bytes = unescape(encodeURIComponent(text));
        return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
    }
};
"""
"""Of a browser only what these scripts name: the engine has the language, and no more."""

COUNTING = (
    *("data", "counting/columns", "counting/count", "decimals", "days", "facts"),
    *("counting/engine", "counting/jobs", "counting/prepared", "figures"),
)
"""What figures are counted by, in the order of the page."""


class Scripts:
    """Scripts of the site, loaded in an order in which each finds what it builds upon."""

    def __init__(self, engine: MiniRacer) -> None:
        self._engine = engine

    def call(self, function: str, *arguments: Any) -> Any:
        """What a function below `wholesale` returns; both sides pass through JSON."""
        listed = ", ".join(map(json.dumps, arguments))
        text = self._engine.eval(f"JSON.stringify(wholesale.{function}({listed})) ?? null")
        return None if text is None else json.loads(str(text))

    def run(self, expression: str) -> Any:
        """What a promise resolves to; it passes through JSON."""
        promise: Any = self._engine.eval(
            f"({expression}).then((value) => JSON.stringify(value) ?? null)"
        )
        text = promise.get(timeout=60)
        return None if text is None else json.loads(str(text))

    def load(self, *names: str) -> None:
        """Load more scripts of the site."""
        for name in names:
            self._engine.eval(
                bare((SITE / f"{name}.js").read_bytes()).decode()
            )  # as it is published

    def define(self, source: str) -> None:
        """Run statements, which have no value."""
        self._engine.eval(f"{source}\nnull;")

    def receive(self, name: str, content: Any) -> None:
        """Hand a data file to the page, as one that was read."""
        self._engine.eval(f"wholesale.receive({json.dumps(name)}, {json.dumps(content)})")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, which passes through JSON."""
        return json.loads(str(self._engine.eval(f"JSON.stringify({expression})")))


@contextmanager
def loaded_scripts(*names: str) -> Iterator[Scripts]:
    """These scripts of the site in an engine of their own."""
    with MiniRacer() as engine:
        engine.eval(BROWSER)
        scripts = Scripts(engine)
        scripts.load(*names)
        yield scripts
