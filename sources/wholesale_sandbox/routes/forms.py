"""Forms: bodies of multipart/form-data, their fields written wrapper[name] (§4.12)."""

import mimetypes
import re
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import PurePosixPath

from python_multipart import parse_form
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import Field, File

from wholesale_sandbox.responses import unprocessable
from wholesale_sandbox.storage import Upload

FORM = "multipart/form-data"


@dataclass(frozen=True, slots=True)
class SubmittedForm:
    """The content of the wrapper: texts by field name, files as (file name, content)."""

    texts: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[str, Upload]] = field(default_factory=dict)


def is_form(content_type: str) -> bool:
    return content_type.split(";")[0].strip().lower() == FORM


def form_sent(body: bytes, content_type: str, wrapper: str) -> SubmittedForm:
    """Raises: Refused (422) for a body that is no form, or has no field inside the wrapper."""
    form = SubmittedForm()

    def name_inside(name: bytes | None) -> str | None:
        match = re.fullmatch(rf"{re.escape(wrapper)}\[(\w+)\]", (name or b"").decode())
        return match[1] if match else None

    def on_field(part: Field) -> None:
        name = name_inside(part.field_name)
        if name is not None:
            form.texts[name] = (part.value or b"").decode()

    def on_file(part: File) -> None:
        name = name_inside(part.field_name)
        if name is not None:
            part.file_object.seek(0)
            file_name = PurePosixPath((part.file_name or b"").decode().replace("\\", "/")).name
            content_type = mimetypes.guess_type(file_name)[0] or "application/octet-stream"
            form.files[name] = (file_name or name, Upload(content_type, part.file_object.read()))
        part.close()

    try:
        parse_form({"Content-Type": content_type.encode()}, BytesIO(body), on_field, on_file)
    except (FormParserError, UnicodeDecodeError, ValueError):
        raise unprocessable(f"the body must be {FORM} with its boundary") from None
    if not form.texts and not form.files:
        raise unprocessable(f"the fields must be written {wrapper}[name]")
    return form
