"""Links: those of a document led to where its targets are, when it is shown away from the code."""

import os
import re
from collections.abc import Callable
from pathlib import Path

SOURCE_URL = os.environ.get("SOURCE_URL", "").rstrip("/")
"""Where the repository is shown, such as https://HOST/OWNER/NAME; empty if nobody said."""
LINK = re.compile(r"(?<!!)\[((?:`[^`]*`|[^\[\]`])+)\]\(([^()\s#]+)(#[^()\s]*)?\)")
IMAGE = re.compile(r"!\[([^\[\]]*)\]\(([^()\s#]+)\)")
PICTURE = re.compile(r"<picture>.*?</picture>\n*", re.DOTALL)
ATTRIBUTE = re.compile(r'(?<= )(src|srcset)="([^"]+)"')

Place = Callable[[Path], str | None]
"""Where a file or folder is shown; None if nowhere."""


def at_source(root: Path, kind: str) -> Place:
    """A place in the repository: `blob` shows a file, `raw` sends it."""

    def place(path: Path) -> str | None:
        whole = f"{SOURCE_URL}/{kind}/HEAD/{path.relative_to(root)}"
        return whole.removesuffix(f"/{kind}/HEAD/.") if SOURCE_URL else None

    return place


def relinked(text: str, folder: Path, file: Place, picture: Place) -> str:
    """The document of that folder with each relative link to something that is there led to its
    place. Where there is none, a link becomes its words, and a picture goes."""

    def moved(target: str, place: Place) -> str | None:
        path = (folder / target).resolve()
        return place(path) if "://" not in target and path.exists() else target

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found.groups()
        to = moved(target, file)
        return f"[{words}]({to}{anchor or ''})" if to else words

    def image(found: re.Match[str]) -> str:
        to = moved(found[2], picture)
        return f"![{found[1]}]({to})" if to else ""

    def pictures(found: re.Match[str]) -> str:
        led = [(name, moved(target, picture)) for name, target in ATTRIBUTE.findall(found[0])]
        places = iter(f'{name}="{to}"' for name, to in led)
        return ATTRIBUTE.sub(lambda _: next(places), found[0]) if all(to for _, to in led) else ""

    return PICTURE.sub(pictures, IMAGE.sub(image, LINK.sub(link, text)))
