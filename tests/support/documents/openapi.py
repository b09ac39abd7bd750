"""OpenAPI: the document of the sandbox's API, as a file in its package.

`poe generate` writes it anew.
"""

import json
from pathlib import Path

from wholesale_sandbox.contract import document, openapi

FILE = Path(openapi.__file__).with_suffix(".json")


def text() -> str:
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
