"""Buyer users: invited when they are added, and found under their own buyer only."""

from dataclasses import replace

from support.records.cases import RECORDS, THEN, Ask, Case, id_of, refused
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.storage.outbox import Mail


def test_a_new_buyer_user_is_invited_and_can_be_invited_again(sandbox: Sandbox, ask: Ask) -> None:
    sent = {"buyer_user": {"full_name": "Bo Ek", "email": "bo@example.com", "role": "owner"}}
    made = ask(Case("create_buyer_user", 201, sent=sent)).json()
    for name in ("resend_invitation", "reset_password"):
        ask(Case(name, 200, ids={"buyerUserId": made["id"]}))

    mails = [replace(mail, sent_at=THEN) for mail in sandbox.outbox.mails()]

    invitation = Mail("invitation", "bo@example.com", id_of("buyer"), made["id"], THEN)
    assert mails == [invitation, invitation, replace(invitation, kind="password_reset")]


def test_a_buyer_user_is_not_found_under_another_buyer(sandbox: Sandbox, ask: Ask) -> None:
    other = "00000000-0000-4000-8000-000000000050"
    sandbox.put("buyers", RECORDS["buyer"] | {"id": other})

    for name in ("get_buyer_user", "update_buyer_user", "activate_buyer_user", "reset_password"):
        response = ask(Case(name, 404, ids={"buyerId": other}))
        assert (response.status_code, response.json()) == (404, refused(404, ""))
