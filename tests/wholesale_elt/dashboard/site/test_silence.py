"""Silence: a call is the tick of the task for which the buyer is to be called."""

from support.warehouses.javascript import loaded_scripts

MARKS = (
    "wholesale.elements = {}; wholesale.marks = {};"
    " Object.assign(wholesale.todo ??= {}, {mark: (key, is) => { wholesale.marks[key] = is; },"
    " markedAt: (key) => wholesale.marks[key] ?? null});"
)


def test_a_call_of_a_due_buyer_ticks_its_own_task_and_no_other() -> None:
    with loaded_scripts("data", "decimals", "days", "format", "age", "objects") as scripts:
        scripts.define("wholesale.elements = { h: () => null };")
        scripts.load("todo/tasks", "silence")
        scripts.define(MARKS)
        for buyer, reason in (("b1", "'due'"), ("b2", "'silent'"), ("b3", "undefined")):
            scripts.define(
                "wholesale.silence.called.set({last_ordered_date: '2026-06-01',"
                f" buyer_id: '{buyer}', call_reason: {reason}}}, true);"
            )

        assert scripts.evaluate("wholesale.marks") == {
            "due/b1/2026-06-01": True,
            "silent/b2/2026-06-01": True,
            "silent/b3/2026-06-01": True,
        }
