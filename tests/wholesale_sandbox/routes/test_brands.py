"""Brands: one may come as a form, with a file for its logo that is served."""

import httpx
import pytest

from support.records.cases import as_told, refused
from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox


def test_a_brand_may_come_as_a_form_with_a_file(sandbox: Sandbox, client: httpx.Client) -> None:
    response = client.post(
        "/brands",
        data={"brand[title]": "Aqua", "brand[handle]": "aqua", "beside": "ignored"},
        files={"brand[logo]": ("../logo.png", b"\x89PNG", "image/png")},
    )

    made = response.json()
    logo = f"/uploads/{made['id']}/logo.png"
    assert response.status_code == 201
    assert as_told(made) == {
        "id": "<id>",
        "title": "Aqua",
        "handle": "aqua",
        "description": None,
        "logo": logo,
        "created_at": "<now>",
        "updated_at": "<now>",
    }
    file = httpx.get(httpx.URL(sandbox.base_url).join(logo), verify=NOBODY, timeout=None)
    assert (file.content, file.headers["content-type"]) == (b"\x89PNG", "image/png")


@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"title": "flat"}, "the fields must be written brand[name]"),
        ({"brand[handle]": "a"}, "title is required"),
    ],
)
def test_a_form_follows_the_rules_of_any_body(
    client: httpx.Client, fields: dict[str, str], details: str
) -> None:
    response = client.post("/brands", data=fields, files={"other": b""})

    assert (response.status_code, response.json()) == (422, refused(422, details))


def test_only_the_logo_may_be_a_file(client: httpx.Client) -> None:
    response = client.post("/brands", files={"brand[title]": ("a.txt", b"Aqua")})

    assert (response.status_code, response.json()) == (
        422,
        refused(422, "title must be text, not a file"),
    )


def test_a_broken_form_is_refused(client: httpx.Client) -> None:
    response = client.post(
        "/brands", content=b"--x", headers={"Content-Type": "multipart/form-data"}
    )

    assert (response.status_code, response.json()) == (
        422,
        refused(422, "the body must be multipart/form-data with its boundary"),
    )
