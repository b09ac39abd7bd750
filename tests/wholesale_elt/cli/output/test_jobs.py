"""What a sync could not read is told in a line a field, and shortly where the fields are many."""

from wholesale_elt.cli.output.jobs import misfit_lines


def test_a_line_names_the_field_and_counts_its_values() -> None:
    misfits = {("orders", "total"): 1, ("items", "a\nb"): 2_000}

    assert list(misfit_lines(misfits)) == [
        "items.a b: 2,000 values did not fit: kept in _extra",
        "orders.total: 1 value did not fit: kept in _extra",
    ]


def test_of_a_table_with_many_such_fields_the_first_are_named() -> None:
    misfits = {("orders", f"field_{number:02}"): number for number in range(12)}

    *named, rest = misfit_lines(misfits | {("prices", "unit_price"): 3})

    assert [line.partition(":")[0] for line in (*named, rest)] == [
        *(f"orders.field_{number:02}" for number in range(10)),
        "orders",
        "prices.unit_price",
    ]
    assert named[-1] == (
        "orders: 2 more fields, 21 values did not fit: kept in _extra (--json names them)"
    )
