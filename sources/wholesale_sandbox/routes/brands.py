"""Brands: one may come as a form with a file for its logo (§4.12)."""

from collections.abc import Mapping
from uuid import uuid4

from wholesale_sandbox.business import fields_sent, literal_of, records
from wholesale_sandbox.contract import BRAND_LOGO_FILE, RESOURCE
from wholesale_sandbox.responses import Response, unprocessable
from wholesale_sandbox.routes.call import Call, Handler
from wholesale_sandbox.routes.forms import form_sent, is_form
from wholesale_sandbox.routes.resources import response


def create_brand(call: Call) -> Response:
    resource, brand_id = RESOURCE["brands"], str(uuid4())
    if not is_form(call.content_type):
        sent = fields_sent(call.body, resource)
        return response(
            "create_brand",
            records.create(call.storage, resource.name, sent, now=call.now, record_id=brand_id),
        )
    form = form_sent(call.body, call.content_type, resource.wrapper)
    sent = {name: literal_of(text) for name, text in form.texts.items()}
    with call.storage.transaction():
        for field, (name, upload) in form.files.items():
            if field != "logo":
                raise unprocessable(f"{field} must be text, not a file")
            path = BRAND_LOGO_FILE.value.format(brandId=brand_id, name=name)
            call.storage.uploads.put(path, upload)
            sent[field] = literal_of(path)
        brand = records.create(call.storage, resource.name, sent, now=call.now, record_id=brand_id)
    return response("create_brand", brand)


HANDLERS: Mapping[str, Handler] = {"create_brand": create_brand}
