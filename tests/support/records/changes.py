"""Changes: a small account that is filled, edited, brought back, and odd."""

from support.records.samples import guid, line, order
from wholesale_sandbox.server import Sandbox

LATER = "2026-03-01T10:00:00Z"
RESOURCES = ("orders", "vendors", "items", "variants", "prices", "brands")
"""All that have children, a parent, or an odd value, and one of which there is no record."""


def fill(sandbox: Sandbox) -> None:
    two = [line("x", unit_price="0.000000001"), line("y", quantity="three")]
    sandbox.put("orders", order("A", order_line_items=two, order_comments=[{"body": "?"}]))
    sandbox.put("orders", order("B", order_line_items=two, colour="red", weight=1.25, tags=["a"]))
    sandbox.put("orders", order("C", total="12345678901234567890123456789.123456789"))
    sandbox.put("orders", order("D", total="12,50", sub_total=0.1234567891, updated_at="never"))
    sandbox.put("orders", order("E", order_comments=[{"body": "a"}, {}, {"body": ""}]))
    sandbox.put("items", {"id": guid("item"), "options": [{"name": "Size", "values": ["S"]}]})
    sandbox.put("items", {"id": guid("bare"), "title": "", "variants_count": 1})
    variant = {"id": guid("red"), "options": [{"name": "Colour", "value": "red"}]}
    sandbox.put("variants", variant, parent_id=guid("bare"))
    sandbox.put("vendors", {"id": guid("vendor"), "zip": 2134, "shipping_scheme": {"a": [1]}})
    sandbox.put("prices", {"id": guid("price"), "variant_id": guid("red"), "unit_price": 9})
    sandbox.storage.collection("vendors").put("odd", b'{"id":null,"name":"nobody"}')


def edit(sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A", updated_at=LATER))
    sandbox.put("orders", order("B", order_line_items=[line("z")], updated_at=LATER, size="L"))
    sandbox.put("orders", order("E", status="shipped", updated_at=LATER))
    sandbox.put("prices", {"id": guid("price"), "item_id": guid("bare"), "unit_price": "8.5"})
    sandbox.delete("orders", guid("C"))
    sandbox.put("orders", order("F", order_line_items=[line("f")]))
    sandbox.put("items", {"id": guid("item"), "options": []})
    sandbox.put("variants", {"id": guid("red"), "sku": "R", "options": []}, parent_id=guid("bare"))
    sandbox.delete("vendors", guid("vendor"))


def come_back(sandbox: Sandbox) -> None:
    sandbox.put("orders", order("C", total="1", updated_at=LATER))
    sandbox.put("vendors", {"id": guid("vendor"), "name": "Nord"})


def put_odd_values(sandbox: Sandbox) -> None:
    """Texts, numbers and names as only JSON can hold them all."""
    texts = {
        "nul": '"a\\u0000b"',
        "empty": '""',
        "quotes": '"\\"\\",\\r\\n\\\\N\\\\."',
        "surrogate": '"\\ud800"',
        "emoji": '"\\ud83d\\ude00"',
        "blank": '" "',
        "null": "null",
    }
    orders = sandbox.storage.collection("orders")
    for name, text in texts.items():
        body = (
            f'{{"id":"{guid(name)}","order_number":"{name}","notes":{text},"po_number":{text},'
            f'"updated_at":"2026-01-02T10:00:00.1234567Z","total":"1e400","sub_total":1e-9,'
            f'"Notes2":{text},"open":{{"k":{text}}},"order_line_items":[{{"sku":{text}}}],'
            f'"order_comments":[{{"body":{text}}}],"created_at":"0001-01-01T00:00:00Z"}}'
        )
        orders.put(guid(name), body.encode())
    numbers = '"total":99999999999999999999999999999.999999999,"balance":-0.000000001'
    lists = '"order_line_items":[{"sku":"n"}],"order_comments":[{"body":"n"}],"open":{}'
    lists += ',"notes":"n","po_number":"n","Notes2":"n"'
    times = '"updated_at":"2026-01-02T10:00:00Z","created_at":"9999-12-31T23:59:59.999999Z"'
    body = f'{{"id":"{guid("n")}","order_number":"n",{numbers},{times},{lists}}}'
    orders.put(guid("n"), body.encode())
